package palyra.sandbox.internal.guard;

import java.nio.file.Path;
import java.util.Set;

/**
 * A program that was looked up.
 *
 * @param start path to start it by, see {@link ResolvedCommand#program}
 * @param real real path of the file
 * @param sha256 digest of the file
 * @param names every name that it goes by: asked for, of the file, of the interpreter that it is a
 *     copy of, each with and without version
 * @param kind what it can be made to do
 * @param script whether it is a script
 */
record FoundProgram(
        Path start, Path real, String sha256, Set<String> names, ProgramKind kind, boolean script) {
    /** Copies. */
    FoundProgram {
        names = Set.copyOf(names);
    }
}
