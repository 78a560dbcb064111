package palyra.sandbox.internal.guard;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which of the named paths a command reads and which it writes, as far as the program is known; of
 * any other program each path counts as both. What a rule forbids is then forbidden in doubt.
 */
final class FileRoles {
    private static final Set<String> READERS =
            names(
                    "cat tac nl head tail less more wc file stat ls dir vdir tree du df diff cmp"
                            + " comm"
                            + " grep egrep fgrep rg ag ack sort uniq cut paste join fold fmt rev od"
                            + " hexdump xxd strings md5sum sha1sum sha256sum sha512sum b2sum"
                            + " cksum sum"
                            + " base64 base32 readlink realpath test [ find fd jq yq column expand"
                            + " zcat bzcat xzcat zgrep awk gawk mawk sed gsed cd pwd nm objdump"
                            + " readelf"
                            + " size ldd tr date echo printf basename dirname");
    private static final Set<String> WRITERS =
            names(
                    "touch mkdir rm rmdir unlink tee truncate mktemp shred mkfifo mknod chmod chown"
                            + " chgrp setfacl chattr");
    private static final Set<String> LAST_WRITERS = names("cp mv ln install rsync scp");
    private static final Set<String> OUTPUTS =
            names(
                    "-o -O --output --output-file --outfile --output-document --out of -t"
                            + " --target-directory -w --write");
    private static final Set<String> SEDS = Set.of("sed", "gsed");

    private final Set<String> read = new TreeSet<>();
    private final Set<String> written = new TreeSet<>();
    private final Set<String> surelyWritten = new TreeSet<>();

    private FileRoles() {}

    private static Set<String> names(String names) {
        return Set.copyOf(List.of(names.split(" ")));
    }

    /** Whether every operand of a program is a path, also one that does not look like it. */
    static boolean takesFiles(FoundProgram program) {
        return program.isAny(READERS) || program.isAny(WRITERS) || program.isAny(LAST_WRITERS);
    }

    static FileRoles of(FoundProgram program, List<String> arguments, List<NamedPath> paths) {
        FileRoles roles = new FileRoles();
        boolean inPlace =
                program.isAny(SEDS)
                        && arguments.stream()
                                .anyMatch(
                                        a -> a.startsWith("--in-p") || a.matches("-[nErsuz]*i.*"));
        boolean deletes = arguments.contains("-delete");
        int last = paths.stream().mapToInt(NamedPath::position).max().orElse(-1);
        for (NamedPath path : paths) {
            boolean output = OUTPUTS.contains(path.option());
            if (program.isAny(WRITERS) || output) {
                roles.write(path.path());
            } else if (program.isAny(READERS) && !inPlace && !deletes) {
                roles.read.add(path.path());
            } else if (program.isAny(LAST_WRITERS)) {
                if (path.position() == last || program.isAny(Set.of("mv"))) {
                    roles.write(path.path()); // mv deletes the source
                }
                if (path.position() != last) {
                    roles.read.add(path.path());
                }
            } else {
                roles.read.add(path.path());
                roles.written.add(path.path());
            }
        }
        return roles;
    }

    private void write(String path) {
        written.add(path);
        surelyWritten.add(path);
    }

    Set<String> read() {
        return read;
    }

    Set<String> written() {
        return written;
    }

    /** Returns those that the program is known to write, and not only what it might. */
    Set<String> surelyWritten() {
        return surelyWritten;
    }
}
