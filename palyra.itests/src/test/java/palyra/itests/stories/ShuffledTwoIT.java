package palyra.itests.stories;

import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/** Bundles start in a shuffled order. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class ShuffledTwoIT extends Shuffled {
    @Configuration
    public Option[] configuration() {
        return ProductOptions.shuffled(1_848L);
    }
}
