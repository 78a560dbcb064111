package palyra.policy.internal.set;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import palyra.api.ErrorCode;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.journal.Journal;
import palyra.api.core.policy.PolicySetView;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.PolicySetLimits;
import palyra.lib.cedar.internal.engine.CedarEngine;
import palyra.lib.cedar.internal.engine.Settings;
import palyra.policy.internal.decide.EngineDivergence;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.shared.files.DurableFiles;
import palyra.shared.gate.Gate;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.wait.Await;

/** Two policy folders, a store and what reads them, with the real native engine. */
final class Stage implements AutoCloseable {
    static final Cedar CEDAR =
            new CedarEngine(new Settings(PolicySetLimits.STANDARD, 60_000, 1_000), 64);

    static final String SCHEMA =
            """
            entity Group;
            entity User in [Group] { id: String };
            entity Doc { owner?: String };
            action "doc.view", "doc.edit" appliesTo { principal: User, resource: Doc, context: {} };
            """;

    /** Policies that are shipped. */
    static final String DEFAULTS =
            """
            @id("views")
            permit (principal, action == Action::"doc.view", resource);
            @id("no-edits")
            forbid (principal, action == Action::"doc.edit", resource);
            """;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    final MemoryJournal journal = new MemoryJournal();
    final Gate<Journal> journalGate = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    final Path root;
    final Path shipped;
    final Path own;
    final Path store;
    Gate<Cedar> cedarGate = gate();
    PolicySets sets;

    /** What the system says to the next attempts to list a folder and to open a file. */
    final Queue<IOException> listing = new ConcurrentLinkedQueue<>();

    final Queue<IOException> opening = new ConcurrentLinkedQueue<>();
    boolean trustRestored;
    private PolicySettings settings = PolicySettings.standard();
    NativeEngineCheck check;
    private int started;

    Stage(Path folder) {
        this(folder, false);
    }

    /** Returns the stage of a folder, which may be there already: another process left it. */
    static Stage at(Path folder) {
        return new Stage(folder, Files.exists(folder.resolve("stage")));
    }

    private Stage(Path folder, boolean there) {
        try {
            root = folder.resolve("stage");
            shipped = root.resolve("shipped");
            if (!there) {
                Files.createDirectory(root, PRIVATE);
                Files.createDirectory(shipped, PRIVATE);
            }
            own = root.resolve("policies");
            store = root.resolve("policy");
            if (!there) {
                Files.writeString(shipped.resolve("schema.cedarschema"), SCHEMA);
                Files.writeString(shipped.resolve("default.cedar"), DEFAULTS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        journalGate.add(journal, Map.of());
    }

    static Gate<Cedar> gate() {
        return new Gate<>("The native Cedar engine", ErrorCode.POLICY_UNAVAILABLE, 0);
    }

    Stage withSettings(boolean defaults, boolean denyOnFailure, String... off) {
        settings = new PolicySettings(defaults, new TreeSet<>(List.of(off)), denyOnFailure);
        if (sets != null) {
            sets.settings(settings);
        }
        return this;
    }

    /** Starts with the native engine. */
    Stage start() {
        return start(CEDAR, 60_000);
    }

    /** Starts without the native engine. */
    Stage startWithout() {
        return start(null, 200);
    }

    Stage start(Cedar cedar, long graceMillis) {
        cedarGate = gate();
        if (cedar != null) {
            cedarGate.add(cedar, Map.of());
        }
        check = new NativeEngineCheck(cedarGate);
        sets =
                new PolicySets(
                        new PolicyDependencies(
                                new PolicyFolders(shipped, own, store, 30, 50, graceMillis),
                                cedarGate,
                                journalGate,
                                check,
                                new StageTrust(),
                                new DurableFiles(),
                                "boot-" + ++started,
                                System::currentTimeMillis),
                        settings,
                        new SourceReader(shipped, PolicySetLimits.STANDARD, 30) {
                            @Override
                            List<FolderListing> look(Path own) throws IOException {
                                IOException refusal = listing.poll();
                                if (refusal != null) {
                                    throw refusal;
                                }
                                return super.look(own);
                            }

                            @Override
                            InputStream open(Path file) throws IOException {
                                IOException refusal = opening.poll();
                                if (refusal != null) {
                                    throw refusal;
                                }
                                return super.open(file);
                            }
                        });
        sets.begin();
        return this;
    }

    /** Stops and starts again, as another process. */
    Stage restart() {
        close();
        return start();
    }

    private final class StageTrust implements EngineSelector {
        @Override
        public void restore() {
            trustRestored = true;
        }

        @Override
        public void withdraw(EngineDivergence difference) {
            trustRestored = false;
        }

        @Override
        public boolean lost() {
            return false;
        }
    }

    /** Saves an own file as a whole. */
    void save(String name, String text) {
        try {
            Files.createDirectories(own, PRIVATE);
            Path temporary = Files.writeString(root.resolve("saving"), text);
            Files.move(
                    temporary,
                    own.resolve(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete(String name) {
        try {
            Files.delete(own.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void until(String what, BooleanSupplier condition) {
        Await.until(what, PATIENCE, condition);
    }

    /** Waits until a set is in force, and returns its digest. */
    String untilInForce() {
        until("a set in force", () -> sets.inForce().isPresent());
        return sha256();
    }

    /** Waits until a set with a policy of that name is in force. */
    void untilHas(String policy) {
        until(policy + " in force", () -> names().contains(policy));
    }

    void untilHasNot(String policy) {
        until(policy + " gone", () -> sets.inForce().isPresent() && !names().contains(policy));
    }

    void untilRefused() {
        until("a refusal", () -> sets.status().refused().isPresent());
    }

    void untilEvent(String type) {
        until("the event " + type, () -> !journal.events(type).isEmpty());
    }

    String sha256() {
        return sets.inForce().map(Snapshot::view).map(PolicySetView::sha256).orElse("");
    }

    long epoch() {
        return sets.inForce().map(s -> s.view().epoch()).orElse(0L);
    }

    /** Returns the names of the policies in force. */
    List<String> names() {
        return sets.inForce()
                .map(s -> s.policies().policies().stream().map(s::name).toList())
                .orElse(List.of());
    }

    static Permit permit(String action) {
        return permit(action, System.currentTimeMillis());
    }

    static Permit permit(String action, long issuedAtMillis) {
        Principal alice =
                new Principal("user:alice", PrincipalKind.USER, Set.of("operator"), Set.of(), "c");
        return new Permit(
                "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                alice,
                action,
                "",
                DecisionSource.POLICY,
                "test",
                issuedAtMillis);
    }

    @Override
    public void close() {
        if (sets != null) {
            sets.close();
            check.close();
            sets = null;
        }
    }
}
