package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Version;
import palyra.shared.hash.Digests;

/** Plans for the content of the folder; nothing is executed here. */
class PlannerTest {
    private static final long NOW = 1_000_000;

    private final SortedMap<String, DropFile> files = new TreeMap<>();
    private final List<String> pins = new ArrayList<>();
    private final List<DeployedBundle> deployed = new ArrayList<>();
    private final Set<String> present = new HashSet<>();
    private final Map<String, Failure> failures = new HashMap<>();
    private Optional<BundleRestrictions.Restriction> objection = Optional.empty();
    private long stamp = 1;
    private boolean removals = true;

    private static String digest(String text) {
        return Digests.sha256Hex(text);
    }

    private static JarFacts facts(String name, String version, Signatures.Signer... signers) {
        Map<String, Signatures.Signer> by = new HashMap<>();
        for (Signatures.Signer signer : signers) {
            by.put(signer.sha256(), signer);
        }
        return new JarFacts(
                Path.of("copy.jar"),
                digest(name + version),
                100,
                new Attributes(),
                name,
                Version.parseVersion(version),
                by,
                by.isEmpty() ? "it is not signed" : "");
    }

    private static Signatures.Signer signer(String who, long until) {
        return new Signatures.Signer(digest(who), "CN=" + who, 0, until);
    }

    private JarFacts drop(String file, String name, String version, Signatures.Signer... signers) {
        JarFacts facts = facts(name, version, signers);
        files.put(file, DropFile.whole(file, facts, 1));
        return facts;
    }

    private JarFacts dropPinned(String file, String name, String version) {
        JarFacts facts = drop(file, name, version);
        pins.add("sha256:" + facts.sha256());
        return facts;
    }

    private void isIn(String file, JarFacts facts) {
        deployed.add(DeployedBundle.of(file, facts));
        present.add(facts.symbolicName());
    }

    private Planner.Plan plan() {
        return Planner.plan(
                new Planner.Input(
                        files,
                        new PinSet(pins, List.of()),
                        deployed,
                        present,
                        failures,
                        facts -> objection,
                        stamp,
                        removals,
                        NOW));
    }

    private static List<String> changes(Planner.Plan plan) {
        return plan.changes().stream()
                .map(
                        change ->
                                change.kind()
                                        + " "
                                        + change.symbolicName()
                                        + change.wanted().map(w -> " " + w.version()).orElse(""))
                .toList();
    }

    private void nothingHappens() {
        assertEquals(List.of(), changes(plan()));
    }

    private Row row(String file) {
        return plan().rows().get(file);
    }

    @Test
    void takesWhatIsPinned() {
        dropPinned("a.jar", "acme", "1.0.0");
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()));
        assertEquals(Row.State.WAITING, row("a.jar").state());
    }

    @Test
    void refusesWhatIsNotAndSaysWhichLineWouldPinIt() {
        JarFacts facts = drop("a.jar", "acme", "1.0.0");
        pins.add("sha256:" + digest("something else"));
        nothingHappens();
        Row row = row("a.jar");
        assertEquals(Row.State.REFUSED, row.state());
        assertEquals("sha256:" + facts.sha256(), row.pinLine());
        assertTrue(row.remedy().contains("\"sha256:" + facts.sha256() + "\""), row.remedy());
        assertTrue(row.remedy().contains("palyra deploy pin a.jar"), row.remedy());
        pins.add(row.pinLine());
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()));
    }

    @Test
    void takesWhatAPinnedSignerSigned() {
        Signatures.Signer acme = signer("acme", NOW + 1);
        drop("a.jar", "acme", "1.0.0", acme, signer("other", NOW + 1));
        nothingHappens();
        assertTrue(row("a.jar").remedy().contains("signer:"), row("a.jar").remedy());
        pins.add("signer:" + acme.sha256());
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()));
    }

    @Test
    void takesNothingAnewUnderAnExpiredCertificate() {
        Signatures.Signer acme = signer("acme", NOW - 1);
        JarFacts facts = drop("a.jar", "acme", "1.0.0", acme);
        pins.add("signer:" + acme.sha256());
        nothingHappens();
        assertTrue(row("a.jar").explanation().contains("is valid from"));
        // What was taken while it was valid stays in force, over restarts too.
        deployed.add(DeployedBundle.of("a.jar", facts));
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()));
        deployed.clear();
        pins.add("sha256:" + facts.sha256());
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()));
    }

    @Test
    void leavesAloneWhatIsInForce() {
        isIn("a.jar", dropPinned("a.jar", "acme", "1.0.0"));
        nothingHappens();
        assertEquals(Row.State.ACTIVE, row("a.jar").state());
    }

    @Test
    void putsBackWhatSomebodyTookOut() {
        isIn("a.jar", dropPinned("a.jar", "acme", "1.0.0"));
        present.clear();
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()));
    }

    @Test
    void updatesFromTheSameFileAndFromAnother() {
        isIn("a.jar", dropPinned("a.jar", "acme", "1.0.0"));
        dropPinned("a.jar", "acme", "1.1.0");
        assertEquals(List.of("PUT acme 1.1.0"), changes(plan()));
        assertEquals(
                "1.0.0",
                plan().changes().get(0).before().orElseThrow().version().toString(),
                "the way back");
        dropPinned("b.jar", "acme", "1.2.0");
        assertEquals(List.of("PUT acme 1.2.0"), changes(plan()));
        assertEquals(Row.State.SUPERSEDED, row("a.jar").state());
    }

    @Test
    void theWayBackIsOnlyToWhatIsStillTrusted() {
        isIn("a.jar", dropPinned("a.jar", "acme", "1.0.0"));
        pins.clear();
        dropPinned("a.jar", "acme", "1.1.0");
        assertEquals(List.of("PUT acme 1.1.0"), changes(plan()));
        assertEquals(Optional.empty(), plan().changes().get(0).before());
    }

    @Test
    void ofTwoOfTheSameVersionTheOneInForceStays() {
        JarFacts first = dropPinned("b.jar", "acme", "1.0.0");
        isIn("b.jar", first);
        JarFacts same =
                new JarFacts(
                        Path.of("x"),
                        digest("rebuilt"),
                        1,
                        new Attributes(),
                        "acme",
                        Version.parseVersion("1.0.0"),
                        Map.of(),
                        "");
        files.put("a.jar", DropFile.whole("a.jar", same, 2));
        pins.add("sha256:" + same.sha256());
        nothingHappens();
        assertEquals(Row.State.SUPERSEDED, row("a.jar").state());
        assertTrue(row("a.jar").explanation().contains("b.jar"));
    }

    @Test
    void goesBackToTheOlderFileWhenTheNewerIsRemoved() {
        dropPinned("a.jar", "acme", "1.0.0");
        isIn("b.jar", facts("acme", "1.1.0"));
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()));
    }

    @Test
    void takesOutWhatWasRemoved() {
        isIn("a.jar", facts("acme", "1.0.0"));
        pins.add("sha256:" + facts("acme", "1.0.0").sha256());
        assertEquals(List.of("REMOVE acme"), changes(plan()));
        removals = false;
        nothingHappens();
    }

    @Test
    void takesOutWhatIsNoLongerPinned() {
        isIn("a.jar", drop("a.jar", "acme", "1.0.0"));
        assertEquals(List.of("REMOVE acme"), changes(plan()));
        assertEquals("it is no longer pinned", plan().changes().get(0).reason());
    }

    @Test
    void aBadReplacementLeavesTheLastGoodInForce() {
        JarFacts good = facts("acme", "1.0.0");
        isIn("a.jar", good);
        pins.add("sha256:" + good.sha256());
        files.put(
                "a.jar",
                DropFile.refused("a.jar", DropFile.Status.UNUSABLE, "It is damaged.", "", 2));
        nothingHappens();
        assertTrue(row("a.jar").explanation().contains("acme 1.0.0"), row("a.jar").explanation());
        drop("a.jar", "acme", "2.0.0");
        nothingHappens();
        assertEquals(Row.State.REFUSED, row("a.jar").state());
        files.put("a.jar", DropFile.settling("a.jar"));
        nothingHappens();
    }

    @Test
    void restoresTheLastGoodAfterAStart() {
        JarFacts good = facts("acme", "1.0.0");
        deployed.add(DeployedBundle.of("a.jar", good));
        pins.add("sha256:" + good.sha256());
        files.put("a.jar", DropFile.settling("a.jar"));
        nothingHappens();
        drop("a.jar", "acme", "2.0.0");
        assertEquals(List.of("RESTORE acme"), changes(plan()));
        pins.clear();
        assertEquals(List.of("REMOVE acme"), changes(plan()));
    }

    @Test
    void aFileThatHoldsAnotherBundleNowStandsForThat() {
        isIn("a.jar", facts("acme", "1.0.0"));
        pins.add("sha256:" + facts("acme", "1.0.0").sha256());
        dropPinned("a.jar", "other", "1.0.0");
        assertEquals(List.of("PUT other 1.0.0", "REMOVE acme"), changes(plan()));
        pins.remove(1);
        nothingHappens();
    }

    private void failed(String file, String sha256, long reading, long world) {
        failures.put(
                file,
                new Failure(sha256, reading, world, Row.State.FAILED, "It failed.", "Mend it."));
    }

    @Test
    void triesWhatFailedAgainOnlyWhenSomethingChanged() {
        JarFacts facts = dropPinned("a.jar", "acme", "1.0.0");
        failed("a.jar", facts.sha256(), 1, Failure.WHATEVER_HAPPENS);
        nothingHappens();
        assertEquals(Row.State.FAILED, row("a.jar").state());
        stamp++;
        nothingHappens();
        files.put("a.jar", DropFile.whole("a.jar", facts, 2));
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()), "it was touched");
        failed("a.jar", facts.sha256(), 2, stamp);
        nothingHappens();
        stamp++;
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()), "the framework changed");
    }

    @Test
    void takesTheNextBestWhenTheNewestFailed() {
        dropPinned("a.jar", "acme", "1.0.0");
        JarFacts newest = dropPinned("b.jar", "acme", "2.0.0");
        failed("b.jar", newest.sha256(), 1, Failure.WHATEVER_HAPPENS);
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()));
        assertEquals(Row.State.FAILED, row("b.jar").state());
    }

    @Test
    void refusesWhatIsNeverTaken() {
        dropPinned("a.jar", "acme", "1.0.0");
        objection = Optional.of(new BundleRestrictions.Restriction("Never.", "Do not."));
        nothingHappens();
        assertEquals("Never.", row("a.jar").explanation());
    }

    @Test
    void takesOutWhatAnInterruptedChangeLeft() {
        present.add("acme");
        assertEquals(List.of("REMOVE acme"), changes(plan()));
        dropPinned("a.jar", "acme", "1.0.0");
        assertEquals(List.of("PUT acme 1.0.0"), changes(plan()));
    }
}
