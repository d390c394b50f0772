-- What it costs to read every column that the count needs, and nothing else.
SELECT
  count(*) AS events, sum(hash(event_id)) AS event_ids, sum(hash(user_id)) AS user_ids, sum(hash(session_id)) AS session_ids,
  sum(hash(event_type)) AS event_types, sum(hash(device_id)) AS device_ids, sum(hash(client_type)) AS client_types,
  sum(hash(channel)) AS channels, sum(hash(app_version)) AS app_versions, sum(hash(region)) AS regions,
  sum(epoch_ms(server_time)) AS server_times, sum(sequence) AS sequences, sum(session_epoch) AS epochs,
  sum(epoch_ms(client_time)) AS client_times, sum(epoch_ms(last_active_at)) AS last_actives,
  count(*) FILTER (foreground) AS foregrounds, count(*) FILTER (active) AS actives
FROM lake
