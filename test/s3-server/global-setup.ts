import type { TestProject } from "vitest/node";
import { startServer } from "./start-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly endpoint: string;
  }
}

/** One server for all test files of the run. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  const { endpoint, stop } = await startServer();
  provide("endpoint", endpoint);
  return stop;
}
