package palyra.sandbox.internal.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Tells which folders may be the home folder of a user. Pure but for looking at files. */
final class HomeFolders {
    private static final Path ACCOUNTS = Path.of("/etc/passwd");
    private static final int HOME = 5; // field of an account, see passwd(5)

    /** Where systems keep home folders whose accounts are not in the file. */
    private static final List<Path> PARENTS = List.of(Path.of("/home"), Path.of("/Users"));

    /** What a login leaves in a home folder. */
    private static final List<String> TRACES =
            List.of(".ssh", ".bash_history", ".zsh_history", ".bash_logout", ".gnupg");

    private HomeFolders() {}

    /**
     * Returns whether a folder may be a home folder: that of an account or of this user, one where
     * systems keep them, or one that a login left traces in. The root may be one too; when the
     * accounts cannot be read, any may be.
     *
     * @param folder absolute real path
     */
    static boolean mayBe(Path folder) {
        Path parent = folder.getParent();
        if (parent == null // the root itself
                || PARENTS.contains(parent)
                || folder.equals(Path.of(System.getProperty("user.home", "/")))
                || TRACES.stream().anyMatch(name -> exists(folder.resolve(name)))) {
            return true;
        }
        try (Stream<String> accounts = Files.lines(ACCOUNTS)) {
            return accounts.anyMatch(line -> isHomeOf(line, folder));
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isHomeOf(String account, Path folder) {
        String[] fields = account.split(":", -1);
        if (fields.length <= HOME || fields[HOME].isEmpty()) {
            return false;
        }
        try {
            return Path.of(fields[HOME]).toRealPath().equals(folder);
        } catch (IOException | RuntimeException e) {
            return fields[HOME].equals(folder.toString());
        }
    }
}
