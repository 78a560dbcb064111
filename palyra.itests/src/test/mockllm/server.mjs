// Starts the server on a free port of loopback, says which, and ends with its standard input.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { createServer } = require('@dwmkerr/mock-llm/dist/server.js');
const { loadConfig } = require('@dwmkerr/mock-llm/dist/config.js');

const app = createServer(loadConfig(process.argv[2]), '127.0.0.1', 0);
const listener = app.listen(0, '127.0.0.1', () => {
  console.log('port ' + listener.address().port);
});
process.stdin.on('end', () => process.exit(0)).resume();
