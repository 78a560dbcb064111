package palyra.deploy.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Everything that is trusted now; immutable. */
final class PinSet {
    private final Map<Pin, Entry> entries = new TreeMap<>();
    private final List<String> unreadable = new ArrayList<>();

    /**
     * A pin and where it comes from.
     *
     * @param source {@code configuration}, or {@code command} for one that was made by a person
     *     with a command
     * @param by who made it; empty for a configured one
     * @param note what it was made for
     */
    record Entry(Pin pin, String source, String by, String note) {
        static final String CONFIGURED = "configuration";
        static final String COMMAND = "command";

        boolean configured() {
            return source.equals(CONFIGURED);
        }

        /** Returns where it comes from, for people. */
        String origin() {
            return configured() ? source : source + " by " + by;
        }
    }

    /** Takes configured lines and stored pins; a pin that is in both counts as configured. */
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

    /** Returns the pin that covers a file of this digest, signed whole by these; empty if none. */
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

    Optional<Entry> entry(Pin pin) {
        return Optional.ofNullable(entries.get(pin));
    }

    List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    /** Returns configured lines that are no pins; they trust nothing. */
    List<String> unreadable() {
        return List.copyOf(unreadable);
    }
}
