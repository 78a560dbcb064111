package palyra.transport.grpc.internal.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * The address a server listens on. The name is looked up once, so the checked address is the bound
 * one.
 *
 * @param socket resolved
 * @param beyond whether other machines can reach it
 */
record BindAddress(InetSocketAddress socket, boolean beyond) {
    /** Looks a host name up. */
    interface Names {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /**
     * Returns the address to listen on.
     *
     * @throws PalyraException DENIED when any address of the host can be reached from other
     *     machines and there is no TLS; INVALID_ARGUMENT when the host has none
     */
    static BindAddress of(String host, int port, boolean tls, Names names) {
        List<InetAddress> addresses = addresses(host, names);
        List<InetAddress> reachable =
                addresses.stream().filter(address -> !address.isLoopbackAddress()).toList();
        if (!reachable.isEmpty() && !tls) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "gRPC does not listen on "
                            + host
                            + ": "
                            + reachable.get(0).getHostAddress()
                            + " can be reached from other machines and TLS is not set up; set"
                            + " certificateFile and privateKeyFile, or host to 127.0.0.1.");
        }
        InetAddress chosen =
                addresses.stream()
                        .min(Comparator.comparing(Inet6Address.class::isInstance))
                        .orElseThrow();
        return new BindAddress(new InetSocketAddress(chosen, port), !reachable.isEmpty());
    }

    private static List<InetAddress> addresses(String host, Names names) {
        try {
            List<InetAddress> found = List.of(names.addresses(host));
            if (found.isEmpty()) {
                throw new UnknownHostException(host);
            }
            return found;
        } catch (UnknownHostException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "gRPC cannot listen on host '"
                            + host
                            + "': no address was found for it; set host to an address of this"
                            + " machine.",
                    e);
        }
    }
}
