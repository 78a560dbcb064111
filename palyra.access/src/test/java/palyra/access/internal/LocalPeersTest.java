package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Credential;
import palyra.api.core.ops.Finding;

class LocalPeersTest {
    private static final ProcessIdentity OWN = new ProcessIdentity(1_000, "palyra");
    private static final List<Finding> FINDINGS = new ArrayList<>();
    private static final Map<String, Set<String>> MAPPED =
            AccessSettings.peers(
                    new String[] {"bob=integrator,viewer", " 1002 = viewer", "eve=", "x", "y=root"},
                    FINDINGS);

    private static Principal of(ProcessIdentity own, String user, long uid) {
        return LocalPeers.principal(new Credential.LocalPeer(user, uid), own, MAPPED);
    }

    private static void assertUnknown(ProcessIdentity own, String user, long uid) {
        PalyraException refused = assertThrows(PalyraException.class, () -> of(own, user, uid));
        assertEquals(ErrorCode.UNAUTHENTICATED, refused.code());
    }

    @Test
    void anEntryThatAdmitsNoCallerIsAFindingWithItsText() {
        assertEquals(3, FINDINGS.size());
        Finding last = FINDINGS.getLast();
        assertEquals(Finding.Severity.ERROR, last.severity());
        assertTrue(last.message().contains("'y=root' of localPeers"), last.message());
        assertTrue(last.remedy().contains("[approver, integrator, operator, viewer]"));
    }

    @Test
    void theGatewaysOwnUserIsAnOperator() {
        Principal owner = of(OWN, "palyra", 1_000);
        assertEquals("user:palyra", owner.id());
        assertEquals(Set.of("operator"), owner.groups());
        assertEquals("local-peer:1000", owner.credentialId());
    }

    @Test
    void aNameIsNoProofWhereThereIsANumber() {
        assertUnknown(OWN, "palyra", 1_001);
        assertUnknown(OWN, "root", 0);
        assertEquals("user:alias", of(OWN, "alias", 1_000).id());
    }

    @Test
    void namesAreComparedWhereTheSystemGivesNoNumber() {
        ProcessIdentity nameless = new ProcessIdentity(-1, "palyra");
        assertEquals("local-peer:palyra", of(nameless, "palyra", -1).credentialId());
        assertEquals("local-peer:palyra", of(nameless, "palyra", 1_000).credentialId());
        assertUnknown(nameless, "mallory", -1);
        assertEquals("local-peer:1000", of(OWN, "palyra", -1).credentialId());
    }

    @Test
    void configurationAdmitsOthersWithTheirGroups() {
        Principal bob = of(OWN, "bob", 1_001);
        assertEquals(Set.of("integrator", "viewer"), bob.groups());
        assertNotEquals(OWN.credentialId(), bob.credentialId());
        assertTrue(bob.credentialId().startsWith("mapped-peer:"));
        assertEquals(Set.of("viewer"), of(OWN, "carol", 1_002).groups());
        // A user whose name is the owner's number is still another user.
        assertUnknown(OWN, "1000", 1_003);
    }

    @Test
    void entriesThatCannotBeUnderstoodAdmitNobody() {
        assertUnknown(OWN, "eve", 1_004);
        assertUnknown(OWN, "x", 1_005);
        assertUnknown(OWN, "y", 1_006);
        assertEquals(Set.of("bob", "1002"), MAPPED.keySet());
    }

    @Test
    void aNameThatNoPrincipalCanHaveBecomesItsNumber() {
        assertEquals("user:uid-1000", of(OWN, "d\u00f3main\\user", 1_000).id());
    }

    @Test
    void findsOutWhomThisProcessRunsAs() throws Exception {
        ProcessIdentity self = ProcessIdentity.ofThisProcess();
        Object uid =
                java.nio.file.Files.getAttribute(java.nio.file.Path.of("/proc/self"), "unix:uid");
        assertEquals(((Integer) uid).longValue(), self.uid());
        assertTrue(self.is(new Credential.LocalPeer("whatever", self.uid())));
    }
}
