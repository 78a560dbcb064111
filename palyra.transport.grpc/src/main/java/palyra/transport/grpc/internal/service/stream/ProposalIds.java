package palyra.transport.grpc.internal.service.stream;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;

/**
 * Ids of proposed calls as clients see them. A call's own id, {@code <run>.<turn>.<index>}, is no
 * ULID; on the wire it is one that derives from it: the time of the run's id, then 80 bits of the
 * call id's SHA-256. Pure functions.
 */
public final class ProposalIds {
    private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final String NO_TIME = "0000000000";
    private static final int ULID = 26;
    private static final int RANDOM_DIGITS = 16;
    private static final int RANDOM_BYTES = 10;
    private static final int BITS = 5;

    private ProposalIds() {}

    /** Returns the id of a call; one that is a ULID stays as it is. */
    public static String of(String callId) {
        if (Ulids.isUlid(callId)) {
            return callId;
        }
        boolean ofRun = callId.length() > ULID && Ulids.isUlid(callId.substring(0, ULID));
        String time = ofRun ? callId.substring(0, NO_TIME.length()) : NO_TIME;
        byte[] digest = Digests.sha256(callId.getBytes(StandardCharsets.UTF_8));
        BigInteger bits = new BigInteger(1, Arrays.copyOf(digest, RANDOM_BYTES));
        StringBuilder random = new StringBuilder();
        for (int i = RANDOM_DIGITS - 1; i >= 0; i--) {
            random.append(ALPHABET.charAt(bits.shiftRight(i * BITS).intValue() & 31));
        }
        return time + random;
    }
}
