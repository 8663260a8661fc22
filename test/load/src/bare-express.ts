// The least a server can do for one record: Express, one indexed query, JSON.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Pool } from 'pg';

const pool = new Pool({ connectionString: process.argv[2] });
const app = express();
app.get('/systems/:tenant/:id', async (request, response) => {
  const { tenant, id } = request.params;
  const { rows } = await pool.query('SELECT record FROM bare WHERE tenant = $1 AND id = $2', [
    tenant,
    id,
  ]);
  response.json({ result: rows[0]?.record, status: 'success' });
});
const server = app.listen(0, '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
);
