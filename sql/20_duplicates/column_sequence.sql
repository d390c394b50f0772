-- sequenced_events (sequence: column): the lake's own counter is the sequence.
-- Grain: one row per distinct event.
-- Reads: distinct_events.
-- Rules: the setting `sequence: column`.
select e.*
from distinct_events e
