package palyra.skills.internal.trycommand;

import java.util.List;
import java.util.function.Supplier;
import palyra.api.command.Command;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.tool.SkillDesk;

/** The commands {@code skills run} and {@code skills admit}. */
public final class TryCommands {
    private TryCommands() {}

    /** Returns both. */
    public static List<Command> all(
            ActiveSkills skills,
            SkillDesk desk,
            Gate<Journal> journal,
            Supplier<RunSettings> settings) {
        return List.of(
                new RunCommand(skills, desk, new TryRecords(journal), settings),
                new AdmitCommand(desk));
    }
}
