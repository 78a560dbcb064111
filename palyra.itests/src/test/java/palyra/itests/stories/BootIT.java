package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.itests.Wait;

/** What ships, as it ships, comes up and answers. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class BootIT {
    private static final Principal OPERATOR =
            new Principal("user:story", PrincipalKind.USER, Set.of("operator"), Set.of(), "story");

    private House house;

    @Configuration
    public Option[] configuration() {
        return ProductOptions.product();
    }

    @Before
    public void open() throws Exception {
        house = House.ready();
    }

    @Test
    public void everyBundleResolvesAndIsActive() {
        List<String> wrong = new ArrayList<>();
        for (Bundle bundle : house.context().getBundles()) {
            boolean fragment = bundle.getHeaders("").get("Fragment-Host") != null;
            int wanted =
                    fragment
                            ? Bundle.RESOLVED
                            : PlatformIT.Sandboxes.isForeign(bundle)
                                    ? Bundle.INSTALLED
                                    : Bundle.ACTIVE;
            if (bundle.getState() != wanted) {
                wrong.add(bundle + " is in state " + bundle.getState());
            }
        }
        assertEquals("", String.join("\n", wrong));
        assertTrue(house.ours().toString(), house.ours().contains("palyra.front"));
    }

    @Test
    public void everyComponentOfOursIsUp() throws Exception {
        assertEquals("", String.join("\n", house.notActive()));
        assertFalse(house.up().isEmpty());
    }

    @Test
    public void answersThroughTheRunsService() throws Exception {
        Submission submission =
                house.with(
                        Runs.class,
                        runs -> runs.submit(OPERATOR, SubmittedMessage.of("story", "hello there")));
        Wait.until(
                "the run to end",
                () ->
                        house.with(Runs.class, runs -> runs.run(OPERATOR, submission.runId()))
                                .map(RunView::state)
                                .filter(RunState::terminal)
                                .isPresent());
        assertEquals(
                RunState.SUCCEEDED,
                house.with(Runs.class, runs -> runs.run(OPERATOR, submission.runId()))
                        .orElseThrow()
                        .state());
    }

    @Test
    public void answersThroughTheCommandSocket() throws Exception {
        assertEquals(
                "You said: hello there\n", house.client().run("ask", "hello", "there").ok().out());
        house.client().run("doctor").ok();
    }
}
