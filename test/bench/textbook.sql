-- What a good analyst would write for one definition (connected: gaps of up to 90 s count, longer ones earn 30 s, and so
-- does the last event) and one day: duplicates out, events in order, slots, islands per user, cut to the day.
WITH events AS (
  SELECT event_id, user_id, session_id, coalesce(session_epoch, 0) AS epoch, sequence, event_type,
    epoch_ms(server_time) AS at_ms
  FROM lake
  WHERE event_id IS NOT NULL AND user_id IS NOT NULL AND session_id IS NOT NULL AND event_type IS NOT NULL
    AND server_time IS NOT NULL AND event_type <> 'SERVER_TIMEOUT'
),
unique_events AS (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY event_id ORDER BY at_ms, session_id, epoch, sequence) AS copy FROM events
  ) WHERE copy = 1
),
unique_sequences AS (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY session_id, epoch, sequence ORDER BY at_ms, event_id) AS place
    FROM unique_events
  ) WHERE place = 1
),
ordered AS (
  SELECT *,
    lead(at_ms) OVER (PARTITION BY session_id, epoch ORDER BY sequence) AS next_ms
  FROM unique_sequences
),
slots AS (
  SELECT user_id, at_ms AS start_ms,
    CASE
      WHEN next_ms IS NULL THEN at_ms + CASE WHEN event_type IN ('SESSION_CLOSE', 'LOGOUT') THEN 0 ELSE 30000 END
      WHEN next_ms - at_ms <= 90000 THEN next_ms
      ELSE at_ms + 30000
    END AS end_ms
  FROM ordered
),
reaching AS (
  SELECT *, max(end_ms) OVER (
      PARTITION BY user_id ORDER BY start_ms, end_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS reached_ms
  FROM slots WHERE end_ms > start_ms
),
islands AS (
  SELECT *, sum(CASE WHEN start_ms <= reached_ms THEN 0 ELSE 1 END) OVER (
      PARTITION BY user_id ORDER BY start_ms, end_ms ROWS UNBOUNDED PRECEDING
    ) AS island
  FROM reaching
),
intervals AS (
  SELECT user_id, min(start_ms) AS start_ms, max(end_ms) AS end_ms FROM islands GROUP BY user_id, island
)
SELECT user_id, sum(least(end_ms, 1785340800000) - greatest(start_ms, 1785254400000)) AS online_ms
FROM intervals
WHERE start_ms < 1785340800000 AND end_ms > 1785254400000
GROUP BY user_id
ORDER BY user_id
