package palyra.skills.internal.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import palyra.api.command.Command;
import palyra.skills.internal.audit.Auditor;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.store.ArtifactVerifier;
import palyra.skills.internal.store.AuthorizedChanges;
import palyra.skills.internal.store.Installer;
import palyra.skills.internal.store.Lifecycle;
import palyra.skills.internal.store.Reaudit;
import palyra.skills.internal.store.TrustService;

/** All commands about installed skills and about files. */
public final class SkillCommands {
    private SkillCommands() {}

    /**
     * Returns them.
     *
     * @param state the gateway's state folder, in which no file may be named
     * @param gateway what skills have to be made for
     */
    public static List<Command> of(
            Path state,
            GatewayVersion gateway,
            AuthorizedChanges changes,
            ArtifactVerifier verifier,
            Auditor auditor,
            Reaudit reaudit,
            Installer installer,
            Lifecycle lifecycle,
            TrustService trust) {
        ArtifactFiles files = new ArtifactFiles(state);
        ReadCommands reading = new ReadCommands(changes, verifier, new NextStep(gateway));
        List<Command> all = new ArrayList<>(reading.all());
        all.add(new AuditCommand(changes, verifier, auditor, reaudit, files).command(reading));
        all.addAll(new InstallCommands(changes, installer, files).all());
        all.addAll(new ChangeCommands(changes, lifecycle, verifier, reading).all());
        all.add(new TrustCommand(changes, trust, files).command());
        all.addAll(new MakerCommands(files, gateway).all());
        return all;
    }
}
