/**
 * Options of a kind of view as a list of fields: what the form in the inspector is made of. A kind is one
 * file in `kinds` and one line in `registry.ts`.
 */
import type { ViewDocument } from '@engine/document/types';
import type { ShownUnit } from '@figures/shown-units';
import type { SelectOption } from '../../components/SelectBox.vue';

interface Named {
  /** member of the view that the field sets */
  readonly key: string;
  readonly label: string;
  readonly help?: string;
  /** what tests know the control by, after `option-`; the key where it is absent */
  readonly id?: string;
}

export interface NumberField extends Named {
  readonly as: 'number';
  readonly shown?: ShownUnit;
  readonly min?: number;
  readonly max?: number;
  readonly isWhole?: boolean;
  /** what stands in an empty field */
  readonly placeholder?: string;
}

/** Both ends of an axis or a scale. */
export interface RangeField extends Named {
  readonly as: 'range';
  readonly shown: ShownUnit;
}

export interface ChoiceField extends Named {
  readonly as: 'choice';
  readonly choices: readonly SelectOption[];
  /** what goes without saying, and is not written down; absent where the member always is */
  readonly usual?: string;
  /** the member of a choice, where it is no text */
  readonly written?: (choice: string) => unknown;
  /** what else changes with it */
  readonly also?: Readonly<Record<string, unknown>>;
}

export interface SwitchField extends Named {
  readonly as: 'switch';
  /** the member says that it is off */
  readonly isInverted?: boolean;
}

/** Some of a list. */
export interface SeveralField extends Named {
  readonly as: 'several';
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** what goes without saying; absent where the member always is */
  readonly usual?: readonly string[];
  /** the member has those that are left out */
  readonly isInverted?: boolean;
  /** the number that must remain */
  readonly least?: number;
  /** what is said where there is nothing to choose */
  readonly none?: string;
}

/** One signal. */
interface SignalField extends Named {
  readonly as: 'signal';
}

/** Signals in their order. */
interface SignalsField extends Named {
  readonly as: 'signals';
  readonly hasTime?: boolean;
}

export interface AnnotationsField {
  readonly as: 'annotations';
  readonly key: 'annotations';
  readonly label: string;
}

export type OptionField =
  | NumberField
  | RangeField
  | ChoiceField
  | SwitchField
  | SeveralField
  | SignalField
  | SignalsField
  | AnnotationsField;

type Of<K extends ViewDocument['type']> = Extract<ViewDocument, { type: K }>;

/** Fields of a kind, whose keys are members of its views. */
export type FieldsOf<K extends ViewDocument['type']> = (
  view: Of<K>,
) => readonly (OptionField & { readonly key: keyof Of<K> })[];
