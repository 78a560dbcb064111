package palyra.shared.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/**
 * Whether only an operator can have written a file. Each method returns the objection to it, for a
 * sentence; empty without an objection.
 */
public final class FileTrust {
    private static final String ROOT = "root";

    private FileTrust() {}

    /**
     * For files that may be links within their folder: they are inside it, are not writable for all
     * users, and belong to its owner or to root.
     */
    public static Optional<String> objection(Path folder, Path file) throws IOException {
        Path home = folder.toRealPath();
        Path real = file.toRealPath();
        if (!real.startsWith(home)) {
            return Optional.of("it is a link that leads out of the folder");
        }
        if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of("it is not a regular file");
        }
        Optional<PosixFileAttributes> attributes = posix(real);
        return attributes.isEmpty() ? Optional.empty() : objection(posix(home), attributes.get());
    }

    private static Optional<String> objection(
            Optional<PosixFileAttributes> folder, PosixFileAttributes file) {
        if (file.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
            return Optional.of("every user of this machine may write to it");
        }
        String owner = file.owner().getName();
        boolean known =
                owner.equals(ROOT)
                        || folder.map(f -> f.owner().getName().equals(owner)).orElse(true);
        return known
                ? Optional.empty()
                : Optional.of(
                        "it belongs to " + owner + " and not to the owner of the folder or root");
    }

    private static Optional<PosixFileAttributes> posix(Path path) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(path, PosixFileAttributeView.class);
        return view == null ? Optional.empty() : Optional.of(view.readAttributes());
    }

    /**
     * For files that bring code or settings by being there: a regular file, no link, of {@code
     * owner} or root, which no other user may write to.
     */
    public static Optional<String> strictObjection(Path file, FileOwner owner) throws IOException {
        if (Files.isSymbolicLink(file)) {
            return Optional.of("it is a symbolic link");
        }
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? owner.objection(file)
                : Optional.of("it is not a regular file");
    }

    /**
     * For a folder of such files: no link, of {@code owner} or root, which no other user may write
     * to or put another in place of.
     */
    public static Optional<String> strictFolderObjection(Path folder, FileOwner owner)
            throws IOException {
        if (Files.isSymbolicLink(folder)) {
            return Optional.of("it is a symbolic link");
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of("it is not a folder");
        }
        Optional<String> objection = owner.objection(folder);
        Path real = folder.toRealPath();
        for (Path at = real.getParent(); objection.isEmpty() && at != null; at = at.getParent()) {
            String above = at.toString();
            objection = owner.parentObjection(at).map(why -> "of the folder " + above + ": " + why);
        }
        return objection;
    }
}
