package palyra.sandbox.internal.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Collects what an examination notices: of each reason the first. Not thread-safe. */
final class Concerns {
    private final List<Concern> all = new ArrayList<>();
    private final Set<String> flags = new TreeSet<>();

    private void add(Concern.Kind kind, String reasonCode, String reason) {
        add(new Concern(kind, reasonCode, reason));
    }

    private void add(Concern noticed) {
        if (all.stream().noneMatch(one -> one.reasonCode().equals(noticed.reasonCode()))) {
            all.add(noticed);
        }
    }

    /** Notes an argument that looks like a path outside. */
    void outside(String reason) {
        flags.add(Concern.OUTSIDE_FLAG);
        add(Concern.Kind.OUTSIDE, "sandbox.path_outside", reason);
    }

    /** Notes that not everything was looked at. */
    void unclear(String reason) {
        flags.add(Concern.UNCLEAR_FLAG);
        add(Concern.Kind.OUTSIDE, "sandbox.argument_unclear", reason);
    }

    /** Notes protected paths that are written. */
    void protectedPaths(String reason, Set<String> paths) {
        flags.add(Concern.PROTECTED_FLAG);
        add(new Concern(Concern.Kind.PROTECTED, "sandbox.path_protected", reason, paths));
    }

    /** Notes a program that executes its input or starts others. */
    void interpreter(String reasonCode, String reason) {
        add(Concern.Kind.INTERPRETER, reasonCode, reason);
    }

    List<Concern> all() {
        return all;
    }

    /** Returns the flags that tell policies of them. */
    Set<String> flags() {
        return flags;
    }
}
