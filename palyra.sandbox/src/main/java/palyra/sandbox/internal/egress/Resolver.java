package palyra.sandbox.internal.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks names up. May block for as long as the system's resolver does. */
interface Resolver {
    /** Returns all addresses of a name; never empty. */
    List<InetAddress> addresses(String name) throws UnknownHostException;
}
