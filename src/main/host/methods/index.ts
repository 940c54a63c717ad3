/** Every method of the contract with its implementation: a new method is one entry in one of these groups. */
import type { MethodName } from '@contract/methods';
import type { MethodHandlers } from '../context';
import { analysisMethods } from './analyses';
import { appMethods } from './app';
import { comparisonMethods } from './comparison';
import { constraintMethods } from './constraints';
import { contactMethods } from './contacts';
import { documentMethods } from './documents';
import { exampleMethods } from './examples';
import { exportMethods } from './exports';
import { figureMethods } from './figures';
import { journalMethods } from './journal';
import { libraryMethods } from './libraries';
import { netlistMethods } from './netlists';
import { problemMethods } from './problem';
import { profileMethods } from './profile';
import { readingMethods } from './reading';
import { sectionMethods } from './sections';
import { runMethods } from './runs';
import { settingsMethods } from './settings';
import { unitMethods } from './units';

export const hostMethods: MethodHandlers<MethodName> = {
  ...analysisMethods,
  ...appMethods,
  ...comparisonMethods,
  ...constraintMethods,
  ...contactMethods,
  ...documentMethods,
  ...exampleMethods,
  ...exportMethods,
  ...figureMethods,
  ...journalMethods,
  ...libraryMethods,
  ...netlistMethods,
  ...problemMethods,
  ...profileMethods,
  ...readingMethods,
  ...sectionMethods,
  ...runMethods,
  ...settingsMethods,
  ...unitMethods,
};
