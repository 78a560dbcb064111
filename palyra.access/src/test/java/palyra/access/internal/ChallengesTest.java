package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.access.internal.Challenges.Purpose;

/** The room for challenges, with attempts to take it from others. */
class ChallengesTest {
    private static final int ROOM = 4_096;

    private final Challenges challenges = new Challenges(() -> 1_000);

    private void flood(Purpose purpose) {
        for (int i = 0; i < ROOM + 100; i++) {
            challenges.make(purpose, "2001:db8:" + Integer.toHexString(i / 10) + "::" + i % 10);
        }
    }

    @Test
    void aFullRoomDropsOfThoseWhoHaveMostAndNeverTheNewcomer() {
        String person = challenges.make(Purpose.SIGN_IN, "192.0.2.1");
        flood(Purpose.SIGN_IN);
        String late = challenges.make(Purpose.SIGN_IN, "192.0.2.2");
        assertTrue(challenges.take(late, Purpose.SIGN_IN, "192.0.2.2"));
        assertTrue(challenges.take(person, Purpose.SIGN_IN, "192.0.2.1"));
    }

    @Test
    void strangersAtTheSignInTakeNoRoomOfPeopleInside() {
        List<String> inside = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            inside.add(challenges.make(Purpose.PROVE, "session-" + i));
        }
        String invited = challenges.make(Purpose.NEW_PASSKEY, "invitation");
        flood(Purpose.SIGN_IN);
        for (int i = 0; i < inside.size(); i++) {
            assertTrue(challenges.take(inside.get(i), Purpose.PROVE, "session-" + i));
        }
        assertTrue(challenges.take(invited, Purpose.NEW_PASSKEY, "invitation"));
    }

    @Test
    void aNetworkOfIpv6HasTenHoweverItsAddressesAreWritten() {
        String first = challenges.make(Purpose.SIGN_IN, "2001:db8:0:1::1");
        for (int i = 2; i <= 10; i++) {
            challenges.make(Purpose.SIGN_IN, "2001:db8:0:1:0:0:0:" + i);
        }
        String eleventh = challenges.make(Purpose.SIGN_IN, "2001:db8::1:5:6:7:8");
        assertFalse(challenges.take(first, Purpose.SIGN_IN, "2001:db8:0:1::1"));
        assertTrue(challenges.take(eleventh, Purpose.SIGN_IN, "2001:db8::1:5:6:7:8"));
    }

    @Test
    void aChallengeIsUsedUpAlsoByAnAttemptForAnotherPurpose() {
        String made = challenges.make(Purpose.SIGN_IN, "192.0.2.1");
        assertFalse(challenges.take(made, Purpose.PROVE, "192.0.2.1"));
        assertFalse(challenges.take(made, Purpose.SIGN_IN, "192.0.2.1"));
    }

    @Test
    void networksAreThoseOfTheAddressAndNoNameIsLookedUp() {
        assertEquals(ClientNetwork.of("2001:db8::1"), ClientNetwork.of("[2001:db8:0:0:9::2]"));
        assertEquals(ClientNetwork.of("fe80::1%eth0"), ClientNetwork.of("fe80:0:0:0:1:2:3:4"));
        assertNotEquals(ClientNetwork.of("2001:db8::1"), ClientNetwork.of("2001:db8:0:1::1"));
        assertNotEquals(ClientNetwork.of("192.0.2.1"), ClientNetwork.of("192.0.2.2"));
        assertEquals(ClientNetwork.of("192.0.2.1"), ClientNetwork.of("::ffff:192.0.2.1"));
        assertEquals("beef", ClientNetwork.of("beef"));
        assertEquals("1:2:3", ClientNetwork.of("1:2:3"));
        assertEquals("999.1.1.1", ClientNetwork.of("999.1.1.1"));
    }
}
