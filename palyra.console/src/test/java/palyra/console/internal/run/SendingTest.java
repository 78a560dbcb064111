package palyra.console.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import palyra.api.run.WhileRunning;

class SendingTest {
    private static final String FORM = "01J0000000000000000000000A";
    private static final String OTHER = "01J0000000000000000000000B";

    private static String key(String form, String text, WhileRunning whileRunning) {
        return Sending.dedupeKey(new Sending.Draft(OTHER, "", text, form, whileRunning));
    }

    @Test
    void aFormThatIsSentTwiceIsOneMessage() {
        String first = key(FORM, "hello", WhileRunning.QUEUE);
        assertEquals(first, key(FORM, "hello", WhileRunning.QUEUE));
    }

    @Test
    void anotherFormOrAnotherTextIsAnotherMessage() {
        String first = key(FORM, "hello", WhileRunning.QUEUE);
        assertNotEquals(first, key(OTHER, "hello", WhileRunning.QUEUE));
        assertNotEquals(first, key(FORM, "hello!", WhileRunning.QUEUE));
        assertNotEquals(first, key(FORM, "hello", WhileRunning.STEER));
    }
}
