/** Types about skills that the parts of this bundle share. */
package palyra.skills.internal.model;
