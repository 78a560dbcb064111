package palyra.skills.internal.tool;

import java.util.ArrayList;
import java.util.List;

/**
 * A registered tool of a skill.
 *
 * @param tool the tool
 * @param unregister takes it back; returns when its calls have ended
 */
record RegisteredTool(SkillToolService tool, Runnable unregister) {

    /**
     * Takes tools back, those with calls under way each on a thread of its own: taking one back
     * waits for its calls, and meanwhile no other may be left on offer.
     */
    static void takeBack(List<RegisteredTool> all) {
        List<Thread> waiting = new ArrayList<>();
        List<RegisteredTool> idle = new ArrayList<>();
        for (RegisteredTool each : all) {
            if (each.tool().busy()) {
                waiting.add(
                        Thread.ofPlatform()
                                .name("palyra-skills-leave")
                                .daemon()
                                .start(each.unregister()));
            } else {
                idle.add(each);
            }
        }
        idle.forEach(each -> each.unregister().run());
        try {
            for (Thread each : waiting) {
                each.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
