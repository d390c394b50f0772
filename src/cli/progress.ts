import type { ProgressEvent } from "../usecases/rebuild-result.ts";
import { paintFor, printable } from "./ansi.ts";
import { bytes, countOf, seconds } from "./format.ts";
import type { Io } from "./io.ts";

/** What a run tells on stderr while it works. */
export interface ProgressView {
  progress(event: ProgressEvent): void;
  warn(text: string): void;
  /** Leaves stderr as ordinary output finds it. */
  done(): void;
}

/** One live line on a terminal; elsewhere (cron, CI) one plain line per step. */
export function progressView(io: Io): ProgressView {
  return io.isTTY.stderr && io.env.TERM !== "dumb" ? liveLine(io) : plainLines(io);
}

function plainLines(io: Io): ProgressView {
  return {
    progress: (event) => io.stderr(`${describe(event)}\n`),
    warn: (text) => io.stderr(warning(io, text)),
    done: () => {},
  };
}

function liveLine(io: Io): ProgressView {
  let shown = false;
  const clear = () => {
    if (shown) io.stderr("\r\x1b[K");
    shown = false;
  };
  return {
    progress(event) {
      // A line as wide as the terminal would wrap, and then could not be cleared.
      io.stderr(`\r${describe(event).slice(0, Math.max(0, io.columns - 1))}\x1b[K`);
      shown = true;
    },
    warn(text) {
      clear();
      io.stderr(warning(io, text));
    },
    done: clear,
  };
}

function warning(io: Io, text: string): string {
  return `${paintFor(io, "stderr").yellow("warning:")} ${printable(text)}\n`;
}

function describe(event: ProgressEvent): string {
  switch (event.kind) {
    case "plan":
      return `${countOf(event.days, "day")} of ${event.definitions.join(", ")}: ${countOf(event.files, "file")} to read`;
    case "day":
      return `${event.day} reads ${countOf(event.files, "file")}, ${bytes(event.bytes)}`;
    case "stage":
      return `${event.day} stage ${event.index}/${event.of}: ${event.stage}`;
    case "published":
      return `${event.day} published after ${seconds(event.seconds)} s`;
  }
}
