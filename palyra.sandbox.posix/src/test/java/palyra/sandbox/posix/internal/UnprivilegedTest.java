package palyra.sandbox.posix.internal;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;

/** Runs the cases as a user without rights, and with cgroups as the start script delegates them. */
class UnprivilegedTest {
    private static final String CASES = "palyra.sandbox.posix.internal.cases.";

    @TestFactory
    List<DynamicTest> whatACommandGetsAndGivesBack() throws Exception {
        return cases("", "RunCases", "LimitCases");
    }

    @TestFactory
    List<DynamicTest> fromItsStartToTheEndOfAllThatItStarted() throws Exception {
        return cases("", "LifecycleCases", "OrphanCases");
    }

    @TestFactory
    List<DynamicTest> kernelRestrictionsAndSandboxesThatReport() throws Exception {
        return cases(
                "",
                "ConfineCases",
                "StatusCases",
                "RemainingProcessesCases",
                "RulesetCases",
                "OpenedPathCases",
                "MetadataCases");
    }

    @TestFactory
    List<DynamicTest> cgroupsOfVersionOne() throws Exception {
        return inGroups(Cgroups.first(), "memory, pids and cpuacct of version 1");
    }

    @TestFactory
    List<DynamicTest> cgroupsOfVersionTwo() throws Exception {
        return inGroups(Cgroups.second(), "version 2");
    }

    private static List<DynamicTest> inGroups(Optional<Cgroups> groups, String what)
            throws Exception {
        assumeTrue(groups.isPresent(), "cgroups of " + what + " cannot be delegated here");
        try (Cgroups delegated = groups.get()) {
            return cases(delegated.variable(), "CgroupCases", "OrphanCases");
        }
    }

    private static List<DynamicTest> cases(String group, String... classes) throws Exception {
        List<String> names = new ArrayList<>();
        for (String name : classes) {
            names.add(CASES + name);
        }
        List<String> lines = Child.run(group, names);
        List<DynamicTest> all = new ArrayList<>();
        for (String line : lines) {
            for (String kind : List.of(CaseRunner.OK, CaseRunner.ABORTED, CaseRunner.FAILED)) {
                if (line.startsWith(kind)) {
                    all.add(test(kind, line.substring(kind.length()), lines));
                }
            }
        }
        for (String name : classes) {
            all.add(DynamicTest.dynamicTest(name + " ran", () -> ran(name, lines)));
        }
        return all;
    }

    private static DynamicTest test(String kind, String rest, List<String> lines) {
        String name = rest.split(" ")[0];
        return DynamicTest.dynamicTest(
                name,
                () -> {
                    if (kind.equals(CaseRunner.FAILED)) {
                        throw new AssertionError(rest + "\n" + trace(lines));
                    } else if (kind.equals(CaseRunner.ABORTED)) {
                        throw new TestAbortedException(rest);
                    }
                });
    }

    private static String trace(List<String> lines) {
        return lines.stream().limit(200).collect(Collectors.joining("\n"));
    }

    private static void ran(String type, List<String> lines) {
        boolean any = lines.stream().anyMatch(line -> line.contains(" " + type + "."));
        if (!any) {
            throw new AssertionError(
                    "no case of " + type + " ran; the JVM of the user said:\n" + trace(lines));
        }
    }
}
