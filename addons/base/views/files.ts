import actions from './actions.xml'
import coreApiKeyForm from './core-api-key-form.xml'
import coreApiKeyList from './core-api-key-list.xml'
import coreCompanyForm from './core-company-form.xml'
import coreCompanyList from './core-company-list.xml'
import coreCountryList from './core-country-list.xml'
import coreCurrencyForm from './core-currency-form.xml'
import coreCurrencyList from './core-currency-list.xml'
import coreCurrencySearch from './core-currency-search.xml'
import coreGroupForm from './core-group-form.xml'
import coreGroupList from './core-group-list.xml'
import corePartnerForm from './core-partner-form.xml'
import corePartnerList from './core-partner-list.xml'
import corePartnerSearch from './core-partner-search.xml'
import coreTagList from './core-tag-list.xml'
import coreUserForm from './core-user-form.xml'
import coreUserList from './core-user-list.xml'
import coreUserSearch from './core-user-search.xml'
import menus from './menus.xml'
import sysAccessList from './sys-access-list.xml'
import sysAccessSearch from './sys-access-search.xml'
import sysActionForm from './sys-action-form.xml'
import sysActionList from './sys-action-list.xml'
import sysAuditForm from './sys-audit-form.xml'
import sysAuditList from './sys-audit-list.xml'
import sysAuditSearch from './sys-audit-search.xml'
import sysCronForm from './sys-cron-form.xml'
import sysCronList from './sys-cron-list.xml'
import sysCronRunGraph from './sys-cron-run-graph.xml'
import sysCronRunList from './sys-cron-run-list.xml'
import sysDashboardForm from './sys-dashboard-form.xml'
import sysDashboardList from './sys-dashboard-list.xml'
import sysExportSetForm from './sys-export-set-form.xml'
import sysExportSetList from './sys-export-set-list.xml'
import sysFieldList from './sys-field-list.xml'
import sysFieldSearch from './sys-field-search.xml'
import sysFilterForm from './sys-filter-form.xml'
import sysFilterList from './sys-filter-list.xml'
import sysLogForm from './sys-log-form.xml'
import sysLogList from './sys-log-list.xml'
import sysLogSearch from './sys-log-search.xml'
import sysMenuForm from './sys-menu-form.xml'
import sysMenuList from './sys-menu-list.xml'
import sysModelForm from './sys-model-form.xml'
import sysModelList from './sys-model-list.xml'
import sysModelSearch from './sys-model-search.xml'
import sysModuleList from './sys-module-list.xml'
import sysRuleForm from './sys-rule-form.xml'
import sysRuleList from './sys-rule-list.xml'
import sysSequenceForm from './sys-sequence-form.xml'
import sysSequenceList from './sys-sequence-list.xml'
import sysSettingList from './sys-setting-list.xml'
import sysViewForm from './sys-view-form.xml'
import sysViewList from './sys-view-list.xml'
import sysViewSearch from './sys-view-search.xml'
import sysXmlidList from './sys-xmlid-list.xml'
import sysXmlidSearch from './sys-xmlid-search.xml'

/** Views first, then the actions that open them and the menus that lead there. */
export const viewFiles = [
  { name: 'views/core-api-key-form.xml', text: coreApiKeyForm },
  { name: 'views/core-api-key-list.xml', text: coreApiKeyList },
  { name: 'views/core-company-form.xml', text: coreCompanyForm },
  { name: 'views/core-company-list.xml', text: coreCompanyList },
  { name: 'views/core-country-list.xml', text: coreCountryList },
  { name: 'views/core-currency-form.xml', text: coreCurrencyForm },
  { name: 'views/core-currency-list.xml', text: coreCurrencyList },
  { name: 'views/core-currency-search.xml', text: coreCurrencySearch },
  { name: 'views/core-group-form.xml', text: coreGroupForm },
  { name: 'views/core-group-list.xml', text: coreGroupList },
  { name: 'views/core-partner-form.xml', text: corePartnerForm },
  { name: 'views/core-partner-list.xml', text: corePartnerList },
  { name: 'views/core-partner-search.xml', text: corePartnerSearch },
  { name: 'views/core-tag-list.xml', text: coreTagList },
  { name: 'views/core-user-form.xml', text: coreUserForm },
  { name: 'views/core-user-list.xml', text: coreUserList },
  { name: 'views/core-user-search.xml', text: coreUserSearch },
  { name: 'views/sys-access-list.xml', text: sysAccessList },
  { name: 'views/sys-access-search.xml', text: sysAccessSearch },
  { name: 'views/sys-action-form.xml', text: sysActionForm },
  { name: 'views/sys-action-list.xml', text: sysActionList },
  { name: 'views/sys-audit-form.xml', text: sysAuditForm },
  { name: 'views/sys-audit-list.xml', text: sysAuditList },
  { name: 'views/sys-audit-search.xml', text: sysAuditSearch },
  { name: 'views/sys-cron-form.xml', text: sysCronForm },
  { name: 'views/sys-cron-list.xml', text: sysCronList },
  { name: 'views/sys-cron-run-graph.xml', text: sysCronRunGraph },
  { name: 'views/sys-cron-run-list.xml', text: sysCronRunList },
  { name: 'views/sys-dashboard-form.xml', text: sysDashboardForm },
  { name: 'views/sys-dashboard-list.xml', text: sysDashboardList },
  { name: 'views/sys-export-set-form.xml', text: sysExportSetForm },
  { name: 'views/sys-export-set-list.xml', text: sysExportSetList },
  { name: 'views/sys-field-list.xml', text: sysFieldList },
  { name: 'views/sys-field-search.xml', text: sysFieldSearch },
  { name: 'views/sys-filter-form.xml', text: sysFilterForm },
  { name: 'views/sys-filter-list.xml', text: sysFilterList },
  { name: 'views/sys-log-form.xml', text: sysLogForm },
  { name: 'views/sys-log-list.xml', text: sysLogList },
  { name: 'views/sys-log-search.xml', text: sysLogSearch },
  { name: 'views/sys-menu-form.xml', text: sysMenuForm },
  { name: 'views/sys-menu-list.xml', text: sysMenuList },
  { name: 'views/sys-model-form.xml', text: sysModelForm },
  { name: 'views/sys-model-list.xml', text: sysModelList },
  { name: 'views/sys-model-search.xml', text: sysModelSearch },
  { name: 'views/sys-module-list.xml', text: sysModuleList },
  { name: 'views/sys-rule-form.xml', text: sysRuleForm },
  { name: 'views/sys-rule-list.xml', text: sysRuleList },
  { name: 'views/sys-sequence-form.xml', text: sysSequenceForm },
  { name: 'views/sys-sequence-list.xml', text: sysSequenceList },
  { name: 'views/sys-setting-list.xml', text: sysSettingList },
  { name: 'views/sys-view-form.xml', text: sysViewForm },
  { name: 'views/sys-view-list.xml', text: sysViewList },
  { name: 'views/sys-view-search.xml', text: sysViewSearch },
  { name: 'views/sys-xmlid-list.xml', text: sysXmlidList },
  { name: 'views/sys-xmlid-search.xml', text: sysXmlidSearch },
  { name: 'views/actions.xml', text: actions },
  { name: 'views/menus.xml', text: menus },
]
