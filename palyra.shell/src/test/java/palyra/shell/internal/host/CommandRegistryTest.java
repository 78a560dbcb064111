package palyra.shell.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Dictionary;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.shell.internal.fakes.Partial;
import palyra.shell.internal.fakes.ShellAccess;
import palyra.shell.internal.fakes.TestCommand;

@SuppressWarnings({"unused", "EffectivelyPrivate"}) // methods of partial services
class CommandRegistryTest {
    private final CommandRegistry registry =
            new CommandRegistry(ShellAccess.seams(ShellAccess.create()));
    private FindingSource findings;

    private void activate() {
        registry.activate(
                Partial.of(
                        BundleContext.class,
                        new Object() {
                            public ServiceRegistration<?> registerService(
                                    Class<?> type, Object service, Dictionary<String, ?> ignored) {
                                findings = (FindingSource) service;
                                return null;
                            }
                        }));
    }

    @Test
    void offersWhatIsContributedUntilItIsWithdrawn() {
        List<String> seen = new ArrayList<>();
        registry.onChange(() -> seen.add(String.join(",", registry.firstWords())));
        Command hello = TestCommand.of("hello world", context -> 0);
        registry.add(hello, "some.bundle", 0, 7);
        assertTrue(registry.find("hello world").isPresent());
        assertEquals(List.of("world"), List.copyOf(registry.secondWords("hello")));
        registry.remove(hello);
        assertTrue(registry.find("hello world").isEmpty());
        assertEquals(List.of("completion,hello,help", "completion,help"), seen);
    }

    @Test
    void letsTheHigherRankingWinThenTheLowerServiceId() {
        Command low = TestCommand.of("x", context -> 0);
        Command high = TestCommand.of("x", context -> 0);
        Command early = TestCommand.of("x", context -> 0);
        registry.add(low, "a", 0, 5);
        registry.add(high, "b", 10, 9);
        assertEquals("b", registry.find("x").orElseThrow().origin());
        registry.add(early, "c", 0, 2);
        registry.remove(high);
        assertEquals("c", registry.find("x").orElseThrow().origin());
        registry.remove(early);
        assertEquals("a", registry.find("x").orElseThrow().origin());
    }

    @Test
    void letsACommandOfABundleTakeThePlaceOfTheBuiltInOne() {
        registry.add(TestCommand.of("help", context -> 0), "better.help", 0, 1);
        assertEquals("better.help", registry.find("help").orElseThrow().origin());
    }

    @Test
    void leavesOutWhatCannotBeUsedAndSaysWhy() {
        activate();
        registry.add(
                TestCommand.of(
                        "bad",
                        false,
                        context -> 0,
                        List.of(OptionSpec.flag("json", "Mine")),
                        List.of()),
                "bad.bundle",
                0,
                1);
        Command backwards =
                TestCommand.of(
                        "worse",
                        false,
                        context -> 0,
                        List.of(),
                        List.of(
                                PositionalSpec.optional("A", "First"),
                                PositionalSpec.required("B", "Second")));
        registry.add(backwards, "worse.bundle", 0, 2);
        Command broken =
                new Command() {
                    @Override
                    public CommandSpec spec() {
                        throw new IllegalStateException("no spec today");
                    }

                    @Override
                    public int run(CommandContext context) {
                        return 0;
                    }
                };
        registry.add(broken, "broken.bundle", 0, 3);
        assertTrue(registry.find("bad").isEmpty());
        assertTrue(registry.find("worse").isEmpty());
        List<String> messages = findings.findings().stream().map(Finding::message).toList();
        assertEquals(3, messages.size());
        assertTrue(messages.toString().contains("--json belongs to every command"));
        assertTrue(messages.toString().contains("B must be given but follows"));
        assertTrue(messages.toString().contains("no spec today"));
        registry.remove(backwards);
        assertFalse(findings.findings().toString().contains("worse"));
    }
}
