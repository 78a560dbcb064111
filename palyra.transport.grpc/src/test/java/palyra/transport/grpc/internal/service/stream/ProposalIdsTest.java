package palyra.transport.grpc.internal.service.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.shared.hash.Ulids;

class ProposalIdsTest {
    private static final String RUN = "01JD3Z0000000000000000000A";

    @Test
    void derivesAUlidThatIsTheSameEachTime() {
        String id = ProposalIds.of(RUN + ".1.0");
        assertTrue(Ulids.isUlid(id), id);
        assertEquals(id, ProposalIds.of(RUN + ".1.0"));
        assertTrue(id.startsWith("01JD3Z0000"), id);
    }

    /** Clients keep these ids, so how they derive must not change. */
    @Test
    void derivesTheIdsThatItAlwaysDid() {
        assertEquals("01JD3Z0000KJHP67HNK5J0V7WF", ProposalIds.of(RUN + ".1.0"));
        assertEquals("0000000000980GGVJT7J5THH9H", ProposalIds.of("call-7"));
    }

    @Test
    void tellsCallsApart() {
        Set<String> ids = new HashSet<>();
        for (int turn = 1; turn <= 20; turn++) {
            for (int index = 0; index < 20; index++) {
                ids.add(ProposalIds.of(RUN + "." + turn + "." + index));
            }
        }
        assertEquals(400, ids.size());
    }

    @Test
    void keepsAnIdThatIsOneAlready() {
        assertEquals(RUN, ProposalIds.of(RUN));
    }
}
