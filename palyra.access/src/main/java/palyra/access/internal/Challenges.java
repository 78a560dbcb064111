package palyra.access.internal;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Challenges that wait for an answer: each counts once, for five minutes, for what it was made for.
 * A replacement of this bundle forgets them, and the person presses the button again. Thread-safe.
 */
final class Challenges {
    /** What a challenge is for. */
    enum Purpose {
        SIGN_IN,
        NEW_PASSKEY,
        PROVE
    }

    private static final long VALID_MILLIS = 5 * 60 * 1_000L;
    private static final int BYTES = 32;
    private static final int MOST = 4_096;
    private static final int MOST_OF_ONE = 10;

    /** A challenge; {@code asker} is who counts as one: a network, a session or an invitation. */
    private record Open(String asker, String bound, long untilMillis) {}

    private final LongSupplier clock;
    private final SecureRandom random = new SecureRandom();

    /** Of each purpose, oldest first; strangers at the sign-in take no room of people inside. */
    private final Map<Purpose, Map<String, Open>> rooms = new EnumMap<>(Purpose.class); // by this

    Challenges(LongSupplier clock) {
        this.clock = clock;
        for (Purpose purpose : Purpose.values()) {
            rooms.put(purpose, new LinkedHashMap<>());
        }
    }

    /**
     * Makes a challenge. A newcomer is never refused: a full room drops one of those who have most.
     *
     * @param bound address, session or invitation that it is for
     */
    synchronized String make(Purpose purpose, String bound) {
        long now = clock.getAsLong();
        Map<String, Open> room = rooms.get(purpose);
        room.values().removeIf(each -> each.untilMillis() <= now);
        String asker = purpose == Purpose.SIGN_IN ? ClientNetwork.of(bound) : bound;
        if (room.values().stream().filter(of(asker)).count() >= MOST_OF_ONE) {
            dropOldestOf(room, asker);
        } else if (room.size() >= MOST) {
            dropOldestOf(room, greediest(room));
        }
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        room.put(challenge, new Open(asker, bound, now + VALID_MILLIS));
        return challenge;
    }

    /** Returns which asker has most challenges; of equals, the one of the oldest challenge. */
    private static String greediest(Map<String, Open> room) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        room.values().forEach(each -> counts.merge(each.asker(), 1, Integer::sum));
        String most = "";
        int highest = 0;
        for (Map.Entry<String, Integer> each : counts.entrySet()) {
            if (each.getValue() > highest) {
                most = each.getKey();
                highest = each.getValue();
            }
        }
        return most;
    }

    private static void dropOldestOf(Map<String, Open> room, String asker) {
        Iterator<Open> all = room.values().iterator();
        while (all.hasNext()) {
            if (all.next().asker().equals(asker)) {
                all.remove();
                return;
            }
        }
    }

    private static Predicate<Open> of(String asker) {
        return each -> each.asker().equals(asker);
    }

    /**
     * Returns whether a challenge is open for that purpose and use; it is used up then, and also
     * when it is shown for another one.
     */
    synchronized boolean take(String challenge, Purpose purpose, String bound) {
        Open found = null;
        for (Map.Entry<Purpose, Map<String, Open>> room : rooms.entrySet()) {
            Open removed = room.getValue().remove(challenge);
            found = room.getKey() == purpose ? removed : found;
        }
        return found != null
                && found.bound().equals(bound)
                && found.untilMillis() > clock.getAsLong();
    }
}
