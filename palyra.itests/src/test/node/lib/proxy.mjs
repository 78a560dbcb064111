// A wire that can be cut: passes bytes between clients and the gateway until it is told to stop.
import net from 'node:net';

export class Proxy {
  #server;
  #sockets = new Set();

  /** Opens it in front of `host:port`. */
  static async open(target) {
    const proxy = new Proxy();
    const [host, port] = target.split(':');
    proxy.#server = net.createServer((client) => {
      const gateway = net.connect(Number(port), host);
      for (const [from, to] of [[client, gateway], [gateway, client]]) {
        proxy.#sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        from.pipe(to);
      }
    });
    await new Promise((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get target() {
    return `127.0.0.1:${this.#server.address().port}`;
  }

  /** Cuts every connection, without a word of farewell. */
  cut() {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close() {
    this.cut();
    this.#server.close();
  }
}
