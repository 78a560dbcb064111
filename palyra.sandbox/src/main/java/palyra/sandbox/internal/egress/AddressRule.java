package palyra.sandbox.internal.egress;

import java.net.InetAddress;
import java.util.Optional;

/** Which addresses may be connected to. */
interface AddressRule {
    /** Returns what an address is that may not be connected to; empty when it may. */
    Optional<String> refusal(InetAddress address);
}
