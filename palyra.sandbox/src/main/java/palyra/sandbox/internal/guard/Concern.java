package palyra.sandbox.internal.guard;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a command seems to do by the look of its program or arguments. A look can be wrong: {@code
 * X=/tmp/o} may be a file or a text of a script. So this refuses nothing while it is not known
 * where the command will run; then it is refused unless the sandbox holds what it is about.
 *
 * @param kind what it is about
 * @param reasonCode machine-readable, such as {@code sandbox.path_outside}
 * @param reason one sentence that the model can act on
 * @param paths the protected paths that it writes, absolute, in order; empty for other kinds
 */
public record Concern(Kind kind, String reasonCode, String reason, Set<String> paths) {
    /** Sorts. */
    public Concern {
        paths = Collections.unmodifiableSet(new TreeSet<>(paths));
    }

    /** One that is about no path in particular. */
    public Concern(Kind kind, String reasonCode, String reason) {
        this(kind, reasonCode, reason, Set.of());
    }

    /** Says that an argument looks like a path outside of the workspace. */
    static final String OUTSIDE_FLAG = "!outside";

    /** Says that the arguments hold more texts that may be paths than are looked at. */
    static final String UNCLEAR_FLAG = "!unclear";

    /** Says that the arguments let the program write a protected path, or its caller says so. */
    static final String PROTECTED_FLAG = "!protected";

    /** What a concern is about. */
    public enum Kind {
        /** The program executes its input, or starts others. */
        INTERPRETER,
        /** An argument looks like a path outside of the workspace, or may hold one. */
        OUTSIDE,
        /** It writes a protected path, as its caller says or as is known of its program. */
        PROTECTED
    }
}
