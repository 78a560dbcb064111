package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Works out what each file of a patch becomes, without changing any. */
final class PatchReader {
    private static final Set<PosixFilePermission> EXECUTE =
            EnumSet.of(
                    PosixFilePermission.OWNER_EXECUTE,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_EXECUTE);

    private final PatchWorkspace ground;
    private final WriteGuard guard;
    private final List<PatchTransaction.NewContent> contents = new ArrayList<>();
    private final Set<BeneathPath> named = new HashSet<>();

    PatchReader(PatchWorkspace ground, WriteGuard guard) {
        this.ground = ground;
        this.guard = guard;
    }

    List<PatchTransaction.NewContent> contents(List<FilePatch> patches)
            throws IOException, FileRefusal {
        for (FilePatch patch : patches) {
            read(patch);
        }
        return contents;
    }

    private void read(FilePatch patch) throws IOException, FileRefusal {
        Optional<BeneathPath> from = path(patch.from());
        Optional<BeneathPath> to = path(patch.to());
        Optional<FileState> old = Optional.empty();
        if (from.isPresent()) {
            old = Optional.of(state(from.get()).orElseThrow(() -> missing(patch)));
        }
        String shown = patch.to().or(patch::from).orElse("");
        String text =
                HunkApplier.apply(
                        shown,
                        old.map(state -> new String(state.content(), StandardCharsets.ISO_8859_1))
                                .orElse(""),
                        patch.hunks());
        if (to.isEmpty() && !patch.whole() && !text.isEmpty()) {
            throw refused(shown, "would not be empty after the patch that deletes it");
        }
        boolean renamed = from.isPresent() && to.isPresent() && !from.equals(to);
        if (renamed || from.isEmpty()) {
            requireFree(to.orElseThrow(), shown);
        }
        Optional<FileState> now = to.isPresent() ? Optional.of(made(text, old, patch)) : to(old);
        if (renamed) {
            add(to.orElseThrow(), Optional.empty(), now);
            add(from.orElseThrow(), old, Optional.empty());
        } else {
            add(to.or(() -> from).orElseThrow(), old, now);
        }
    }

    private static Optional<FileState> to(Optional<FileState> deleted) {
        return deleted.filter(state -> false);
    }

    private static FileState made(String text, Optional<FileState> old, FilePatch patch)
            throws FileRefusal {
        byte[] content = text.getBytes(StandardCharsets.ISO_8859_1);
        if (content.length > FileState.MAX_BYTES) {
            throw refused(patch.to().orElse(""), "would become larger than the limit for patches");
        }
        Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
        mode.addAll(old.map(FileState::mode).orElse(FileState.NEW));
        if (patch.executable().isPresent()) {
            mode.removeAll(EXECUTE);
            if (patch.executable().get()) {
                mode.add(PosixFilePermission.OWNER_EXECUTE);
                addWhere(mode, PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_EXECUTE);
                addWhere(mode, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_EXECUTE);
            }
        }
        return new FileState(content, mode);
    }

    private static void addWhere(
            Set<PosixFilePermission> mode, PosixFilePermission read, PosixFilePermission execute) {
        if (mode.contains(read)) {
            mode.add(execute);
        }
    }

    private void add(BeneathPath path, Optional<FileState> before, Optional<FileState> after)
            throws FileRefusal {
        if (!named.add(path)) {
            throw refused(path.toString(), "is named twice");
        }
        contents.add(new PatchTransaction.NewContent(path, before, after));
    }

    private Optional<BeneathPath> path(Optional<String> text) throws FileRefusal {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        BeneathPath path = BeneathPath.of(ground.workspace(), text.get());
        if (path.isRoot()) {
            throw refused(text.get(), "is no file");
        }
        guard.check(path);
        return Optional.of(path);
    }

    private Optional<FileState> state(BeneathPath path) throws IOException, FileRefusal {
        try (OpenFolder folder = ground.at(path.parent())) {
            FileState.requireOneName(ground.workspace(), folder, path);
            return FileState.read(folder, path);
        }
    }

    private void requireFree(BeneathPath path, String shown) throws IOException, FileRefusal {
        try (OpenFolder folder = ground.at(path.parent())) {
            if (folder.attributes(path.name()).isPresent()) {
                throw refused(shown, "is there already");
            }
        } catch (FileRefusal e) {
            if (!e.reasonCode().equals(FileRefusal.NOT_FOUND)) { // its folder will be made
                throw e;
            }
        }
    }

    private static FileRefusal missing(FilePatch patch) {
        return new FileRefusal(
                FileRefusal.NOT_FOUND,
                "The patch changes '"
                        + FileRefusal.shown(patch.from().orElse(""))
                        + "', which does not exist; create a file with '--- /dev/null'.");
    }

    private static FileRefusal refused(String path, String why) {
        return new FileRefusal(
                FileRefusal.PATCH,
                "'" + FileRefusal.shown(path) + "' " + why + ". Nothing was changed.");
    }
}
