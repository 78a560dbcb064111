package palyra.skills.internal.trycommand;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import palyra.api.ErrorCode;
import palyra.api.command.Command;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.json.StrictJson;
import palyra.shared.sealed.VaultValues;
import palyra.skills.internal.host.fakes.Fixtures;
import palyra.skills.internal.host.fakes.InterpretedEngine;
import palyra.skills.internal.host.fakes.Skills;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.run.Engines;
import palyra.skills.internal.run.ModuleAdmission;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.run.SkillRunner;
import palyra.skills.internal.tool.SkillCallService;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.journal.MemoryKeys;

/** The commands with real modules and with fakes around them. */
abstract class OperatorCommandsFixture {
    final Stage stage = new Stage();
    final Skills skills = new Skills();
    private final Engines engines = new Engines();
    private final SkillRunner runner =
            new SkillRunner(engines, new ModuleAdmission(), () -> RunSettings.DEFAULT);
    private final SkillCallService calls =
            new SkillCallService(runner, stage.seams, stage.accessGate);
    final MemoryKeys keys = new MemoryKeys();
    final Gate<Keys> keysGate = new Gate<>("keys", ErrorCode.KEYS_UNAVAILABLE, 100);
    private final List<Command> commands =
            OperatorCommands.all(
                    skills,
                    calls,
                    new OperatorCommands.Recording(
                            stage.seams.journal(), keysGate, new VaultValues(0)),
                    GatewayVersion.of("0.1.0"),
                    () -> RunSettings.DEFAULT);

    OperatorCommandsFixture() {
        keysGate.add(keys, Map.of());
        InterpretedEngine engine = new InterpretedEngine();
        engines.add(engine, engine.properties());
    }

    @AfterEach
    void close() {
        runner.close();
    }

    static FakeCommandContext.Builder module(String name) {
        return FakeCommandContext.builder()
                .positionals("-")
                .json()
                .in(new ByteArrayInputStream(Fixtures.module(name)));
    }

    static JsonNode json(FakeCommandContext context) {
        return StrictJson.parse(context.output().text(), "output");
    }

    final int run(FakeCommandContext context) throws Exception {
        return context.run(commands.get(0));
    }

    final int admit(FakeCommandContext context) throws Exception {
        return context.run(commands.get(1));
    }
}
