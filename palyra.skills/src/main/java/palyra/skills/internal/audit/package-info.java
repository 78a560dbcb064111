/** Static checks of a skill, made without running it. */
package palyra.skills.internal.audit;
