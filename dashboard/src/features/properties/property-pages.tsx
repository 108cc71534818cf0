export { UnitRedirect } from '../units/unit-redirect.tsx';
export { EditPropertyPage, NewPropertyPage } from './property-form.tsx';
export { PropertiesPage } from './property-list.tsx';
export { PropertyPage } from './property-page.tsx';
