package palyra.console.internal.run.text;

import java.util.List;

/** A part of a line. */
public sealed interface Inline {
    /** Text as it is. */
    record Text(String text) implements Inline {}

    /** Code within a line. */
    record Code(String text) implements Inline {}

    /** Emphasis. */
    record Emphasis(List<Inline> content) implements Inline {}

    /** Strong emphasis. */
    record Strong(List<Inline> content) implements Inline {}

    /** Text that was struck out. */
    record Struck(List<Inline> content) implements Inline {}

    /** The end of a line. */
    record Break() implements Inline {}

    /**
     * A link.
     *
     * @param address with scheme http, https or mailto
     * @param target where it really leads, which is shown beside the text
     */
    record Link(String address, String target, List<Inline> content) implements Inline {}
}
