package palyra.shell.internal.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.framework.BundleContext;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.ops.Ops;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Seams;

/** Checks the environment: journal, folders, disk space, Java. */
final class SystemDoctor {
    private static final int JAVA = 25;
    private static final long LITTLE_SPACE_BYTES = 1L << 30;
    private static final long NO_SPACE_BYTES = 100L << 20;

    private final Seams seams;
    private final BundleContext context;

    SystemDoctor(Seams seams, BundleContext context) {
        this.seams = seams;
        this.context = context;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        journal(findings);
        state(findings);
        java(findings, Runtime.version().feature());
        if (Boolean.parseBoolean(context.getProperty(Ops.SAFE_MODE))) {
            findings.add(
                    new Finding(
                            Severity.INFO,
                            "mode",
                            "The gateway runs in safe mode: no connectors, every tool denied.",
                            "Start it without --safe when the repair is done."));
        }
        return findings;
    }

    /** An available journal reports its own findings. */
    private void journal(List<Finding> findings) {
        if (!seams.journal().isPresent()) {
            findings.add(
                    new Finding(
                            Severity.ERROR,
                            "journal",
                            "The journal is not available: operations that need a record are"
                                    + " refused.",
                            "See its component above, and palyra logs."));
        }
    }

    private void state(List<Finding> findings) {
        String folder = context.getProperty(Ops.STATE_FOLDER);
        if (folder == null) {
            findings.add(
                    new Finding(
                            Severity.ERROR,
                            "state",
                            "The framework property " + Ops.STATE_FOLDER + " is not set.",
                            "Start the gateway with palyra up."));
            return;
        }
        Path state = Path.of(folder);
        privateFolder(state, findings);
        privateFolder(state.resolve("keys"), findings);
        privateFolder(state.resolve("run"), findings);
        if (full().isEmpty()) {
            space(state, findings);
        }
    }

    /**
     * Returns the state folder when the journal, which shares its medium, is full: the journal says
     * so itself, with the free bytes.
     */
    Optional<Path> full() {
        String folder = context.getProperty(Ops.STATE_FOLDER);
        boolean full =
                Seams.ifPresent(seams.journal(), Journal::status)
                        .filter(status -> status.state() == JournalStatus.State.DISK_FULL)
                        .isPresent();
        if (folder == null || !full) {
            return Optional.empty();
        }
        Path state = Path.of(folder);
        try {
            boolean shared =
                    Files.getFileStore(state).equals(Files.getFileStore(state.resolve("journal")));
            return shared ? Optional.of(state) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void privateFolder(Path folder, List<Finding> findings) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try {
            Set<PosixFilePermission> others =
                    EnumSet.of(
                            PosixFilePermission.GROUP_READ,
                            PosixFilePermission.GROUP_WRITE,
                            PosixFilePermission.GROUP_EXECUTE,
                            PosixFilePermission.OTHERS_READ,
                            PosixFilePermission.OTHERS_WRITE,
                            PosixFilePermission.OTHERS_EXECUTE);
            others.retainAll(Files.getPosixFilePermissions(folder));
            if (others.equals(EnumSet.of(PosixFilePermission.GROUP_EXECUTE))) {
                findings.add(
                        new Finding(
                                Severity.WARNING,
                                "state",
                                "Users of the group of "
                                        + folder
                                        + ", or those whom an ACL names, can enter it.",
                                "Right for users in localPeers; else chmod 0700 " + folder));
            } else if (!others.isEmpty()) {
                findings.add(
                        new Finding(
                                Severity.ERROR,
                                "state",
                                "Other users can reach " + folder + ".",
                                "chmod 0700 " + folder));
            }
        } catch (IOException | UnsupportedOperationException e) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            "state",
                            "The permissions of " + folder + " cannot be read.",
                            ""));
        }
    }

    private static void space(Path state, List<Finding> findings) {
        try {
            long free = Files.getFileStore(state).getUsableSpace();
            if (free < LITTLE_SPACE_BYTES) {
                findings.add(
                        new Finding(
                                free < NO_SPACE_BYTES ? Severity.ERROR : Severity.WARNING,
                                "state",
                                "Only "
                                        + Words.bytes(free)
                                        + " are free on the file system of "
                                        + state
                                        + ".",
                                "Free some space, or move the state folder to a larger file"
                                        + " system."));
            }
        } catch (IOException e) {
            findings.add(
                    new Finding(
                            Severity.ERROR,
                            "state",
                            "The free space of " + state + " cannot be read.",
                            "See whether it is mounted."));
        }
    }

    static void java(List<Finding> findings, int feature) {
        if (feature < JAVA) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            "java",
                            "This is Java " + feature + "; Palyra is built for " + JAVA + ".",
                            "Install JDK " + JAVA + " and start with palyra up, which finds it."));
        }
    }
}
