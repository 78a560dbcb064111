// telegram-test-api on a free port of loopback; says "port N" when it listens.
import http from 'node:http';
import TelegramServer from 'telegram-test-api';

const Server = TelegramServer.default ?? TelegramServer;
const api = new Server({storeTimeout: 600});
const listener = http.createServer(api.webServer);
listener.listen(0, '127.0.0.1', () => console.log(`port ${listener.address().port}`));
process.stdin.on('end', () => process.exit(0)).resume(); // it ends with the test
