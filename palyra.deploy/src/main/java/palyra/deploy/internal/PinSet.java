package palyra.deploy.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** All pins. Immutable. */
final class PinSet {
    private final Map<Pin, Entry> entries = new TreeMap<>();
    private final List<String> unreadable = new ArrayList<>();

    /**
     * A pin and its origin.
     *
     * @param source {@code configuration}, or {@code command} for a pin that a user made
     * @param by user who made it; empty for a configured pin
     * @param note its purpose
     */
    record Entry(Pin pin, String source, String by, String note) {
        static final String CONFIGURED = "configuration";
        static final String COMMAND = "command";

        boolean configured() {
            return source.equals(CONFIGURED);
        }

        /** Returns its origin, for users. */
        String origin() {
            return configured() ? source : source + " by " + by;
        }
    }

    /** Combines configured lines and stored pins; a pin that is in both counts as configured. */
    PinSet(Collection<String> lines, Collection<Entry> stored) {
        stored.forEach(entry -> entries.put(entry.pin(), entry));
        for (String line : lines) {
            Optional<Pin> pin = Pin.parse(line);
            if (pin.isPresent()) {
                String note = line.strip().substring(pin.get().toString().length()).strip();
                entries.put(pin.get(), new Entry(pin.get(), Entry.CONFIGURED, "", note));
            } else if (!line.isBlank()) {
                unreadable.add(line.strip());
            }
        }
    }

    /**
     * Returns the pin that covers a file by its digest or by the signers of all of it; empty
     * without one.
     */
    Optional<Entry> covering(String sha256, Set<String> signers) {
        Entry exact = entries.get(Pin.ofFile(sha256));
        if (exact != null) {
            return Optional.of(exact);
        }
        return signers.stream()
                .sorted()
                .map(signer -> entries.get(Pin.ofSigner(signer)))
                .filter(entry -> entry != null)
                .findFirst();
    }

    /**
     * The pin that covers a file, and whether it counts.
     *
     * @param pin empty without one
     * @param outOfTime whether it is a signer's whose certificate is not valid at the moment
     */
    record Cover(Optional<Entry> pin, boolean outOfTime) {
        boolean trusted() {
            return pin.isPresent() && !outOfTime;
        }
    }

    /**
     * Returns how a jar is covered.
     *
     * @param deployed whether it is in force; what was deployed while the certificate was valid
     *     stays
     * @param nowMillis unix time
     */
    Cover cover(JarFacts facts, boolean deployed, long nowMillis) {
        Optional<Entry> pin = covering(facts.sha256(), facts.signers().keySet());
        boolean outOfTime =
                pin.map(Entry::pin)
                        .filter(one -> one.kind() == Pin.Kind.SIGNER && !deployed)
                        .filter(one -> !facts.signers().get(one.hex()).validAt(nowMillis))
                        .isPresent();
        return new Cover(pin, outOfTime);
    }

    Optional<Entry> entry(Pin pin) {
        return Optional.ofNullable(entries.get(pin));
    }

    List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    /** Returns configured lines that are not pins; they have no effect. */
    List<String> unreadable() {
        return List.copyOf(unreadable);
    }
}
