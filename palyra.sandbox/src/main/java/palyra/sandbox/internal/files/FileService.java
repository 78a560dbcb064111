package palyra.sandbox.internal.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.sandbox.WorkspaceFiles;
import palyra.api.core.tools.ToolExamination;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.tool.FactsDigest;

/** Whole files for tools of other bundles, by the ways of the file tools. Thread-safe. */
final class FileService implements WorkspaceFiles {
    private final Supplier<Workspaces> workspaces;
    private final WorkspaceChanges changes;
    private final Room room;

    /** Knows how much a workspace may hold. */
    interface Room {
        /** Refuses so many further bytes if there is no room for them. RESOURCE_EXHAUSTED. */
        void require(Path workspace, long bytes);
    }

    FileService(Supplier<Workspaces> workspaces, WorkspaceChanges changes, Room room) {
        this.workspaces = workspaces;
        this.changes = changes;
        this.room = room;
    }

    /** A file of a workspace, at this moment. */
    private record Spot(Path workspace, Place place) {
        BeneathPath path() {
            return place.real();
        }

        String shown() {
            return place.named().toString();
        }
    }

    private Spot spot(String agentId, String path, boolean writes) throws FileRefusal {
        Path workspace = workspaces.get().of(agentId);
        Place place = Place.of(workspace, path);
        if (place.real().isRoot()) {
            throw new FileRefusal(
                    FileRefusal.INPUT, "The path is the workspace itself; name a file in it.");
        }
        if (writes) {
            changes.guard(workspace).check(place.named());
            changes.guard(workspace).check(place.real());
        }
        return new Spot(workspace, place);
    }

    private static FileTool.Plan plan(Spot spot, boolean writes) {
        Set<BeneathPath> both = spot.place().both();
        return new FileTool.Plan(writes ? Set.of() : both, writes ? both : Set.of(), () -> null);
    }

    @Override
    public ToolExamination examine(String agentId, String path, boolean writes) {
        return FileTool.examined(
                () -> {
                    Spot spot = spot(agentId, path, writes);
                    return ToolExamination.facts(
                            FileTool.facts(spot.workspace(), plan(spot, writes)));
                });
    }

    /** Finds the file again, which has to be where it was when the call was decided. */
    private Spot decided(Target target, boolean writes) throws FileRefusal {
        Spot spot = spot(target.agentId(), target.path(), writes);
        String now = FactsDigest.of(FileTool.facts(spot.workspace(), plan(spot, writes)));
        if (!target.factsSha256().isEmpty() && !target.factsSha256().equals(now)) {
            throw new FileRefusal(
                    FileRefusal.LINK,
                    "'"
                            + FileRefusal.shown(spot.shown())
                            + "' leads elsewhere than when the call was decided, so nothing was"
                            + " done; call again.");
        }
        return spot;
    }

    @Override
    public Content read(Target target, int maxBytes) throws IOException {
        requireBound(maxBytes);
        try {
            Spot spot = decided(target, false);
            BeneathPath path = spot.path();
            try (OpenFolder folder = OpenFolder.at(spot.workspace(), path.parent())) {
                if (folder.attributes(path.name())
                        .filter(f -> f.isRegularFile() && f.size() > maxBytes)
                        .isPresent()) {
                    throw tooLarge("'" + FileRefusal.shown(spot.shown()) + "'", maxBytes);
                }
                FileState found =
                        FileState.read(folder, path, maxBytes)
                                .orElseThrow(() -> OpenFolder.notFound(spot.shown()));
                return new Content(spot.shown(), found.content());
            }
        } catch (FileRefusal e) {
            throw forCaller(e);
        }
    }

    private static void requireBound(int maxBytes) {
        Require.that(
                maxBytes >= 0 && maxBytes <= MAX_BYTES,
                "a file has at most " + MAX_BYTES + " bytes, not " + maxBytes);
    }

    private static PalyraException tooLarge(String what, int maxBytes) {
        return new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                what + " has more than " + maxBytes + " bytes, which is the most that is taken.");
    }

    private static PalyraException forCaller(FileRefusal refusal) {
        ErrorCode code =
                switch (refusal.reasonCode()) {
                    case FileRefusal.INPUT, FileRefusal.KIND -> ErrorCode.INVALID_ARGUMENT;
                    case FileRefusal.NOT_FOUND -> ErrorCode.NOT_FOUND;
                    case FileRefusal.PATCH -> ErrorCode.CONFLICT;
                    default -> ErrorCode.DENIED;
                };
        return new PalyraException(code, refusal.getMessage());
    }

    @Override
    public Written write(Target target, boolean replace, int maxBytes, Source source)
            throws IOException, InterruptedException {
        requireBound(maxBytes);
        try {
            Spot spot = decided(target, true);
            if (!replace) {
                requireFree(spot);
            }
            room.require(spot.workspace(), 0);
            Bounded content = new Bounded(maxBytes);
            source.writeTo(content);
            room.require(spot.workspace(), content.size());
            FileState after = new FileState(content.toByteArray(), FileState.NEW);
            boolean[] replaced = new boolean[1];
            changes.change(
                    spot.workspace(),
                    ground -> {
                        Optional<FileState> old = ContentTool.state(ground, spot.path(), MAX_BYTES);
                        replaced[0] = old.isPresent();
                        if (old.isPresent() && !replace) {
                            throw taken(spot);
                        }
                        return List.of(
                                new PatchTransaction.NewContent(
                                        spot.path(), old, Optional.of(after)));
                    });
            return new Written(spot.shown(), content.size(), after.sha256(), replaced[0]);
        } catch (FileRefusal e) {
            throw forCaller(e);
        }
    }

    /** Says so before the content is asked for; whether it is free then is looked at again. */
    private static void requireFree(Spot spot) throws IOException, FileRefusal {
        try (OpenFolder folder = OpenFolder.at(spot.workspace(), spot.path().parent())) {
            if (folder.attributes(spot.path().name()).isPresent()) {
                throw taken(spot);
            }
        } catch (FileRefusal e) {
            if (!e.reasonCode().equals(FileRefusal.NOT_FOUND)) { // its folder will be made
                throw e;
            }
        }
    }

    private static PalyraException taken(Spot spot) {
        return new PalyraException(
                ErrorCode.ALREADY_EXISTS,
                "'"
                        + FileRefusal.shown(spot.shown())
                        + "' exists already and was left as it is; name another path, or say that"
                        + " it is to be replaced.");
    }

    /** Takes so many bytes and no more. */
    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int most;

        Bounded(int most) {
            this.most = most;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) {
            if (length > most - bytes.size()) {
                throw tooLarge("The content", most);
            }
            bytes.write(from, offset, length);
        }

        int size() {
            return bytes.size();
        }

        byte[] toByteArray() {
            return bytes.toByteArray();
        }
    }
}
