package palyra.models.internal.sse;

import java.util.Objects;

/**
 * One server-sent event.
 *
 * @param name what the field {@code event} said; {@code message} when it said nothing
 * @param data lines of the field {@code data}, joined by line feeds; may be empty
 */
public record SseEvent(String name, String data) {
    /** The name of an event that names none. */
    public static final String MESSAGE = "message";

    /** Checks. */
    public SseEvent {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(data, "data");
    }
}
