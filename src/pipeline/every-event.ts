/** Relations that are made otherwise than a rebuild makes them, each from its own SELECT. */
export type OtherRelations = Readonly<Record<string, (own: string) => string>>;

/** Turning points are found among the accepted events alone, not among landmarks: for those who change what is accepted. */
export const POINTS_OF_SIGNALS: OtherRelations = {
  point_bounds: (own) => `select * replace (false as by_landmarks) from (${own})`,
};

/** Every accepted event is a turning point and has a slot of its own; a rebuild leaves out those that repeat their predecessor. */
export const EVERY_EVENT_A_POINT: OtherRelations = {
  ...POINTS_OF_SIGNALS,
  kept_whole_sessions: () => "select distinct i.session_no from identities i",
};
