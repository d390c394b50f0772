/** Something that can be brought to this machine, again and again. */
export interface StagedItem {
  readonly path: string;
  /** Room that it takes, also while it is coming. */
  readonly bytes: number;
  /** Number of the run's last day that reads it. */
  readonly lastDay: number;
  /** Writes it to its path, whole or not at all. */
  fetch(): Promise<void>;
}
