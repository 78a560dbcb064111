package palyra.console.internal.panel.shipped;

import java.util.List;
import palyra.api.console.ConsolePanel;
import palyra.console.internal.command.Commands;
import palyra.console.internal.upload.Uploads;

/** The panels that come with the console. */
public final class ShippedPanels {
    private ShippedPanels() {}

    /**
     * Returns them; each runs commands through the gate.
     *
     * @param uploads jars that persons sent
     */
    public static List<ConsolePanel> all(Commands commands, Uploads uploads) {
        return List.of(
                new ApprovalsPanel(commands),
                new AgentsPanel(commands),
                new SkillsPanel(commands),
                new VaultPanel(commands),
                new AccessPanel(commands),
                new AuditPanel(commands),
                new HealthPanel(commands),
                new ChannelsPanel(commands),
                new ModelsPanel(commands),
                new SandboxesPanel(commands),
                new BundlesPanel(commands, uploads),
                new ConfigurationPanel(commands));
    }
}
