package palyra.access.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Slows guessing down. Each attempt with a password is counted before it is looked at, for the
 * account in the journal, which a restart keeps, and for the address in memory; a right one takes
 * its count back. From the sixth wrong attempt in a row the next has to wait 1 second, then 2, 4 …
 * to at most a minute; after an hour without an attempt the count begins again.
 *
 * <p>Accounts share 4,096 counters, chosen by a keyed digest of the name: names that do not exist
 * cost the same work and no more room. A browser that signed in before has a counter of its own, so
 * the guesses of others do not make it wait. Thread-safe.
 */
final class SignInThrottle {
    static final String COLLECTION = "access_sign_in";

    private static final int COUNTERS = 4_096;
    private static final int FREE = 5;
    private static final int MOST_DOUBLINGS = 6;
    private static final long LONGEST_MILLIS = 60_000;
    private static final long FORGOTTEN_MILLIS = 60 * 60 * 1_000L;
    private static final int FREE_OF_ADDRESS = 20;
    private static final int MOST_ADDRESSES = 10_000;
    private static final int TRIES = 5;

    /** Attempts in a row and the time of the last. */
    private record Count(int attempts, long lastMillis) {
        private static final Count NONE = new Count(0, 0);

        Count now(long millis) {
            return millis - lastMillis > FORGOTTEN_MILLIS ? NONE : this;
        }

        /** Returns how long the next attempt has to wait. */
        long wait(int free, long millis) {
            int over = attempts - free;
            if (over < 0) {
                return 0;
            }
            long delay = Math.min(LONGEST_MILLIS, 1_000L << Math.min(over, MOST_DOUBLINGS));
            return Math.max(0, lastMillis + delay - millis);
        }

        Count more(long millis) {
            return new Count(Math.min(attempts + 1, 1_000), millis);
        }
    }

    private final Gate<Journal> journal;
    private final Gate<Keys> keys;
    private final Recorder recorder;
    private final LongSupplier clock;
    private final Map<String, Count> addresses = // guarded by this
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Count> eldest) {
                    return size() > MOST_ADDRESSES;
                }
            };

    SignInThrottle(Gate<Journal> journal, Gate<Keys> keys, Recorder recorder, LongSupplier clock) {
        this.journal = journal;
        this.keys = keys;
        this.recorder = recorder;
        this.clock = clock;
    }

    /** Returns the counter of a name, for strangers or for a browser that is known. */
    String counter(String name, String knownDevice) {
        byte[] statement =
                Digests.tagged("palyra.sign-in-counter.v1").lp(name).lp(knownDevice).bytes();
        byte[] mac = keys.call(present -> present.mac(KeyPurpose.TOKEN_DIGEST, statement));
        int number = ((mac[0] & 0xff) << 8 | mac[1] & 0xff) % COUNTERS;
        return String.format("%04d", number);
    }

    /** Counts an attempt from an address; RESOURCE_EXHAUSTED when it has to wait. */
    synchronized void chargeAddress(String address) {
        long now = clock.getAsLong();
        String network = ClientNetwork.of(address);
        Count count = addresses.getOrDefault(network, Count.NONE).now(now);
        refuse(count.wait(FREE_OF_ADDRESS, now));
        addresses.put(network, count.more(now));
    }

    /** Takes the count of an address back after a right attempt. */
    synchronized void clearAddress(String address) {
        addresses.remove(ClientNetwork.of(address));
    }

    /** Counts an attempt, durably; RESOURCE_EXHAUSTED when it has to wait. */
    void charge(String counter) {
        for (int i = 1; ; i++) {
            long now = clock.getAsLong();
            Optional<Document> stored =
                    journal.call(present -> present.document(COLLECTION, counter));
            Count count = stored.map(SignInThrottle::count).orElse(Count.NONE).now(now);
            refuse(count.wait(FREE, now));
            try {
                recorder.commit(
                        Unit.builder()
                                .require(
                                        new Precondition.DocumentAt(
                                                COLLECTION,
                                                counter,
                                                stored.map(Document::version).orElse(0L)))
                                .add(put(counter, count.more(now)))
                                .build());
                return;
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.CONFLICT || i == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Returns the operation that takes a count back. */
    static Operation clear(String counter) {
        return new Operation.DeleteDocument(COLLECTION, counter);
    }

    private static void refuse(long waitMillis) {
        if (waitMillis > 0) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "There were too many attempts; try again in "
                            + (waitMillis + 999) / 1_000
                            + " seconds.");
        }
    }

    private static Count count(Document document) {
        JsonNode root = StrictJson.parse(document.content(), "a counter of sign-ins");
        return new Count(root.path("attempts").asInt(), root.path("lastMillis").asLong());
    }

    private static Operation put(String counter, Count count) {
        return new Operation.PutDocument(
                COLLECTION,
                counter,
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("attempts", count.attempts())
                                .put("lastMillis", count.lastMillis())));
    }
}
