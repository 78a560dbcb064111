package palyra.shared.seccomp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import palyra.shared.seccomp.Expectations.Expectation;

/** Filters by the answers that the kernel would get from them. */
class SeccompFilterTest {
    @ParameterizedTest
    @EnumSource
    void everyCallGetsTheAnswerThatIsWrittenDown(Profile profile) {
        for (Architecture architecture : Architecture.values()) {
            SeccompFilter filter = SeccompFilter.of(profile, architecture);
            List<Expectation> all = Expectations.of(profile, architecture);
            assertTrue(all.size() > 150, "only " + all.size() + " expectations");
            assertEquals(List.of(), differences(filter, all), profile + " on " + architecture);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFilterWithoutAnyOneOfItsRulesIsNoticed(Profile profile) {
        for (Architecture architecture : Architecture.values()) {
            List<Expectation> all = Expectations.of(profile, architecture);
            missesEachRule(Rules.of(profile, architecture), all);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFilterWithAnyOneReturnedValueChangedIsNoticed(Profile profile) {
        for (Architecture architecture : Architecture.values()) {
            List<Expectation> all = Expectations.of(profile, architecture);
            missesEachValue(SeccompFilter.of(profile, architecture), all);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyCallForMetadataGoesToTheSupervisor(Architecture architecture) {
        List<Expectation> all = Expectations.ofMetadata(architecture);
        SeccompFilter filter = SeccompFilter.ofMetadata(architecture);
        assertEquals(List.of(), differences(filter, all));
        missesEachRule(Rules.ofMetadata(architecture), all);
        missesEachValue(filter, all);
    }

    @ParameterizedTest
    @EnumSource
    void aSupervisorKnowsTheCallsOfItsFilter(Architecture architecture) {
        for (MetadataCall call : MetadataCall.values()) {
            int number = call.number(architecture);
            assertEquals(
                    number < 0 ? Optional.empty() : Optional.of(call),
                    MetadataCall.of(number, architecture));
        }
        assertEquals(Optional.empty(), MetadataCall.of(0, architecture));
    }

    private static void missesEachRule(List<Rule> rules, List<Expectation> all) {
        for (int drop = 0; drop < rules.size() - 1; drop++) {
            List<Rule> fewer = new ArrayList<>(rules);
            Rule dropped = fewer.remove(drop);
            assertFalse(
                    differences(SeccompFilter.assemble(fewer), all).isEmpty(),
                    "nobody misses " + dropped.name());
        }
    }

    private static void missesEachValue(SeccompFilter filter, List<Expectation> all) {
        byte[] program = filter.bytes();
        for (int at = 0; at < program.length; at += Instruction.BYTES) {
            if (program[at] == Instruction.RETURN) {
                byte[] changed = program.clone();
                boolean allows = changed[at + 6] == (byte) 0xFF;
                changed[at + 4] = (byte) (allows ? 1 : 0);
                changed[at + 6] = (byte) (allows ? 5 : 0xFF);
                changed[at + 7] = (byte) (allows ? 0 : 0x7F);
                assertFalse(
                        differences(new Simulator(changed), all).isEmpty(),
                        "nobody misses the result at " + at / Instruction.BYTES);
            }
        }
    }

    private static List<String> differences(SeccompFilter filter, List<Expectation> all) {
        Simulator simulator;
        try {
            simulator = new Simulator(filter.bytes());
        } catch (IllegalStateException refused) {
            return List.of(refused.getMessage());
        }
        return differences(simulator, all);
    }

    private static List<String> differences(Simulator simulator, List<Expectation> all) {
        List<String> found = new ArrayList<>();
        for (Expectation one : all) {
            int said = simulator.run(one.architecture(), one.number(), one.arguments());
            if (said != one.answer()) {
                found.add(one.what() + " gets " + Integer.toHexString(said));
            }
        }
        return found;
    }

    @Test
    void theListOfRefusedCallsIsTheOneOfTheDesign() {
        List<String> lines =
                Syscall.DENIED.stream()
                        .map(call -> call.name() + " " + call.x86() + " " + call.arm())
                        .sorted()
                        .toList();
        assertEquals(DeniedCalls.LINES, lines);
    }

    @Test
    void numbersAreThoseOfTheKernelsHeaders() throws IOException {
        Path header = Path.of("/usr/include/x86_64-linux-gnu/asm/unistd_64.h");
        Assumptions.assumeTrue(
                Files.exists(header),
                "no kernel headers for x86-64 here: install linux-libc-dev to check the numbers");
        Map<String, Integer> known = new HashMap<>();
        for (String line : Files.readAllLines(header)) {
            String[] fields = line.split("\\s+", -1);
            if (fields.length == 3 && fields[1].startsWith("__NR_")) {
                known.put(fields[1].substring(5), Integer.parseInt(fields[2]));
            }
        }
        List<Syscall> all = new ArrayList<>(Syscall.DENIED);
        all.addAll(
                List.of(
                        Syscall.CLONE,
                        Syscall.CLONE3,
                        Syscall.UNSHARE,
                        Syscall.IOCTL,
                        Syscall.PERSONALITY,
                        Syscall.SOCKET,
                        Syscall.SOCKETPAIR,
                        Syscall.SENDTO,
                        Syscall.SENDMSG,
                        Syscall.SENDMMSG));
        all.addAll(Syscall.OF_A_PROCESS);
        all.addAll(List.of(Syscall.SETPRIORITY, Syscall.IOPRIO_SET, Syscall.FANOTIFY_MARK));
        all.addAll(Syscall.NEWER_METADATA);
        for (MetadataCall call : MetadataCall.values()) {
            all.add(call.call());
        }
        for (Syscall call : all) {
            Integer number = known.get(call.name());
            assertTrue(number == null || number == call.x86(), call + " is " + number);
        }
    }

    @Test
    void sixDifferentProgramsFitTheKernel() {
        Set<String> digests = new HashSet<>();
        for (Profile profile : Profile.values()) {
            for (Architecture architecture : Architecture.values()) {
                SeccompFilter filter = SeccompFilter.of(profile, architecture);
                assertEquals(0, filter.bytes().length % 8);
                assertTrue(filter.bytes().length < 8 * 360, "longer than it was measured");
                digests.add(filter.sha256());
            }
        }
        assertEquals(6, digests.size());
    }

    @Test
    void whoChangesTheReturnedBytesChangesNoFilter() {
        SeccompFilter filter = SeccompFilter.of(Profile.OFFLINE, Architecture.X86_64);
        byte[] mine = filter.bytes();
        mine[0]++;
        assertNotEquals(mine[0], filter.bytes()[0]);
        assertEquals(
                filter.sha256(), SeccompFilter.of(Profile.OFFLINE, Architecture.X86_64).sha256());
    }

    @Test
    void processorsAreKnownByTheirUsualNames() {
        assertEquals(Optional.of(Architecture.X86_64), Architecture.of("amd64"));
        assertEquals(Optional.of(Architecture.X86_64), Architecture.of("x86_64"));
        assertEquals(Optional.of(Architecture.AARCH64), Architecture.of("aarch64"));
        assertEquals(Optional.empty(), Architecture.of("riscv64"));
    }

    @Test
    void aJumpThatIsTooFarIsADefect() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Instruction.jump(Instruction.EQUAL, 0, 256, 0));
    }
}
