/** One call: its thread, its instance, its limits and its end. */
package palyra.skills.engine.endive.internal.run;
