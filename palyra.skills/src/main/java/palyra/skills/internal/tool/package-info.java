/** Tools of skills, as agents call them. */
package palyra.skills.internal.tool;
