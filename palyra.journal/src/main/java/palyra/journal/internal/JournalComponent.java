package palyra.journal.internal;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalCopier;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.journal.internal.database.StoreClock;
import palyra.journal.internal.table.NodeTable;
import palyra.shared.gate.Gate;

/** The store as services. The database is opened on the writer's thread: activating is quick. */
@Component(
        configurationPid = JournalConfig.PID,
        immediate = true,
        service = {
            Journal.class,
            LiveFeed.class,
            TapeVerifier.class,
            JournalCopier.class,
            MetricSource.class,
            LoopSource.class,
            FindingSource.class
        })
@Designate(ocd = JournalConfig.class)
public final class JournalComponent extends SqliteJournal implements FindingSource {
    private final Gate<Keys> keys;
    private final Path stateFolder;
    private final String bootId;

    /** Begins. */
    @Activate
    public JournalComponent(BundleContext context, JournalConfig config) {
        this(context, config, JournalFactory.gate(null));
    }

    private JournalComponent(BundleContext context, JournalConfig config, Gate<Keys> keys) {
        super(
                JournalConfig.Reader.settings(config, stateFolder(context), bootId(context)),
                keys,
                InstantSource.system(),
                System::nanoTime);
        this.keys = keys;
        this.stateFolder = stateFolder(context);
        this.bootId = bootId(context);
    }

    private static Path stateFolder(BundleContext context) {
        String folder = context.getProperty(Ops.STATE_FOLDER);
        if (folder == null || folder.isBlank()) {
            throw new PalyraException(
                    ErrorCode.INTERNAL,
                    "The journal was started without a state folder: set the framework property "
                            + Ops.STATE_FOLDER
                            + ".");
        }
        return Path.of(folder);
    }

    private static String bootId(BundleContext context) {
        String id = context.getProperty(Ops.BOOT_ID);
        return id == null ? "" : id;
    }

    @Modified
    void modified(JournalConfig config) {
        change(JournalConfig.Reader.settings(config, stateFolder, bootId));
    }

    @Deactivate
    void deactivate() {
        close();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindKeys(Keys service, Map<String, Object> properties) {
        keys.add(service, properties);
    }

    void unbindKeys(Keys service) {
        keys.remove(service);
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        JournalStatus status = status();
        if (status.state() != JournalStatus.State.OPEN) {
            findings.add(
                    new Finding(
                            Finding.Severity.ERROR,
                            "journal",
                            "The journal is " + status.state() + ": " + status.detail(),
                            remedy(status)));
        }
        lastJump().map(JournalComponent::finding).ifPresent(findings::add);
        searchDamage()
                .ifPresent(
                        sentence ->
                                findings.add(
                                        new Finding(
                                                Finding.Severity.WARNING,
                                                "journal",
                                                sentence,
                                                "It is rebuilt by itself. Look at the medium: what"
                                                        + " damaged the index may damage more.")));
        for (String sentence : lostRows()) {
            findings.add(
                    new Finding(
                            Finding.Severity.ERROR,
                            "journal",
                            sentence,
                            "Stop the gateway, copy the journal folder aside, and restore a backup"
                                    + " if the run matters. Look at the medium."));
        }
        for (String sentence : scrubbedFaults()) {
            findings.add(
                    new Finding(
                            Finding.Severity.ERROR,
                            "journal",
                            sentence,
                            "Run palyra tape verify, look at the medium, and restore a backup if the"
                                    + " run matters."));
        }
        for (String row : damagedRows()) {
            findings.add(
                    new Finding(
                            Finding.Severity.ERROR,
                            "journal",
                            row,
                            "Lists go on without it. Run palyra tape verify, and restore a backup"
                                    + " if the row matters."));
        }
        return findings;
    }

    private String remedy(JournalStatus status) {
        return switch (status.state()) {
            case OPEN -> "";
            case READ_ONLY ->
                    "Do that in "
                            + stateFolder.resolve("journal")
                            + " (fuser names processes that have a file of it open); it tries"
                            + " again by itself.";
            case DISK_FULL ->
                    "Make room where "
                            + stateFolder.resolve("journal")
                            + " is ("
                            + status.freeBytes()
                            + " bytes are free, min.free.bytes of palyra.journal are kept); it"
                            + " tries again by itself.";
            case STOPPED ->
                    status.detail().startsWith(NodeTable.FOREIGN)
                            ? "Correct node in the configuration (conf/palyra.journal.json of the"
                                    + " state folder); the journal is opened then, without a"
                                    + " restart."
                            : "Run palyra tape verify, restore what is damaged, then restart.";
        };
    }

    /** A machine that slept looks like a clock that was set forward: that may be as it should. */
    private static Finding finding(StoreClock.Reading jump) {
        return new Finding(
                jump.jumpMillis() > 0 ? Finding.Severity.INFO : Finding.Severity.WARNING,
                "clock",
                jump.sentence(),
                "See that the system's clock is kept right in small steps.");
    }
}
