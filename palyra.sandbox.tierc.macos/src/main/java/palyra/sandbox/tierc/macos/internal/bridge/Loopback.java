package palyra.sandbox.tierc.macos.internal.bridge;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens one port on every loopback address of this host. The filter {@code localhost:PORT} of a
 * profile covers {@code ::1} as well as {@code 127.0.0.1}: a server on that port of the other
 * address would be reachable from the sandbox.
 */
final class Loopback {
    private static final int ATTEMPTS = 16;
    private static final int BACKLOG = 32;

    private Loopback() {}

    /** Returns listeners on one port, which the system chose. The caller closes them. */
    static List<ServerSocket> open() throws IOException {
        InetAddress four = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        byte[] bytes = new byte[16];
        bytes[15] = 1;
        InetAddress six = InetAddress.getByAddress(bytes);
        boolean both = NetworkInterface.getByInetAddress(six) != null;
        IOException last = new BindException("no port is free on all loopback addresses");
        for (int i = 0; i < ATTEMPTS; i++) {
            List<ServerSocket> opened = new ArrayList<>();
            try {
                opened.add(listen(four, 0));
                if (both) {
                    opened.add(listen(six, opened.get(0).getLocalPort()));
                }
                return opened;
            } catch (BindException e) {
                last = e;
                closeAll(opened);
            } catch (IOException e) {
                closeAll(opened);
                throw e;
            }
        }
        throw last;
    }

    private static ServerSocket listen(InetAddress address, int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(address, port), BACKLOG);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Closes listeners; one that is closed already is no error. */
    static void closeAll(List<ServerSocket> sockets) {
        for (ServerSocket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // it is being given up
            }
        }
    }
}
