/** What the parts of this bundle tell each other about skills. */
package palyra.skills.internal.model;
