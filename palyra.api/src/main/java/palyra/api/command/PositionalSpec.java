package palyra.api.command;

import palyra.api.Require;

/**
 * One positional argument of a command.
 *
 * @param name what it is called in the help, such as {@code RUN}
 * @param description one line for the help
 * @param required whether it must be given; an optional one may only be followed by optional ones
 * @param repeated whether it takes all that is left; only the last may
 */
public record PositionalSpec(String name, String description, boolean required, boolean repeated) {
    /** Checks. */
    public PositionalSpec {
        Require.text(name, "argument name");
        Require.text(description, "description of " + name);
    }

    /** Returns an argument that must be given. */
    public static PositionalSpec required(String name, String description) {
        return new PositionalSpec(name, description, true, false);
    }

    /** Returns an argument that may be left out. */
    public static PositionalSpec optional(String name, String description) {
        return new PositionalSpec(name, description, false, false);
    }

    /** Returns an argument that takes the rest, at least one. */
    public static PositionalSpec rest(String name, String description) {
        return new PositionalSpec(name, description, true, true);
    }
}
